//! The words and endings for [`plural`](super::plural()), from github.com/gobuffalo/flect v1.0.3, including its odd
//! entries (`octupuses`, `dula`).

/// Singular and plural of irregular words. They also apply to compound words, so a later entry, which wins, may end in
/// an earlier one.
#[rustfmt::skip]
pub(super) const IRREGULAR: &[(&str, &str)] = &[
    ("aircraft", "aircraft"), ("beef", "beef"), ("bison", "bison"), ("blues", "blues"),
    ("chassis", "chassis"), ("deer", "deer"), ("fish", "fish"), ("moose", "moose"), ("police", "police"),
    ("salmon", "salmon"), ("series", "series"), ("sheep", "sheep"), ("shrimp", "shrimp"),
    ("species", "species"), ("swine", "swine"), ("trout", "trout"), ("tuna", "tuna"), ("you", "you"),
    ("child", "children"), ("foot", "feet"), ("goose", "geese"), ("man", "men"), ("human", "humans"),
    ("mouse", "mice"), ("tooth", "teeth"), ("woman", "women"), ("person", "people"), ("adieu", "adieux"),
    ("fabliau", "fabliaux"), ("bureau", "bureaus"), ("criterion", "criteria"), ("ganglion", "ganglia"),
    ("lexicon", "lexica"), ("mitochondrion", "mitochondria"), ("noumenon", "noumena"),
    ("phenomenon", "phenomena"), ("taxon", "taxa"), ("media", "media"), ("medium", "media"),
    ("stadium", "stadiums"), ("aquarium", "aquaria"), ("auditorium", "auditoria"), ("symposium", "symposia"),
    ("curriculum", "curriculums"), ("quota", "quotas"), ("alumnus", "alumni"), ("bacillus", "bacilli"),
    ("cactus", "cacti"), ("coccus", "cocci"), ("focus", "foci"), ("locus", "loci"), ("nucleus", "nuclei"),
    ("octopus", "octupuses"), ("radius", "radii"), ("syllabus", "syllabi"), ("corpus", "corpora"),
    ("genus", "genera"), ("alumna", "alumnae"), ("vertebra", "vertebrae"), ("differentia", "differentiae"),
    ("minutia", "minutiae"), ("vita", "vitae"), ("larva", "larvae"), ("postcava", "postcavae"),
    ("praecava", "praecavae"), ("uva", "uvae"), ("apex", "apices"), ("codex", "codices"),
    ("index", "indices"), ("latex", "latices"), ("vertex", "vertices"), ("vortex", "vortices"),
    ("appendix", "appendices"), ("radix", "radices"), ("helix", "helices"), ("crisis", "crises"),
    ("ellipsis", "ellipses"), ("genesis", "geneses"), ("oasis", "oases"), ("thesis", "theses"),
    ("testis", "testes"), ("base", "bases"), ("basis", "bases"), ("vedalia", "vedalias"), ("abuse", "abuses"),
    ("cause", "causes"), ("clause", "clauses"), ("cruse", "cruses"), ("excuse", "excuses"), ("fuse", "fuses"),
    ("house", "houses"), ("misuse", "misuses"), ("muse", "muses"), ("pause", "pauses"), ("ache", "aches"),
    ("topaz", "topazes"), ("buffalo", "buffaloes"), ("potato", "potatoes"), ("tomato", "tomatoes"),
    ("equipment", "equipment"), ("information", "information"), ("jeans", "jeans"), ("money", "money"),
    ("news", "news"), ("rice", "rice"), ("dwarf", "dwarfs"), ("hoof", "hoofs"), ("thief", "thieves"),
    ("chive", "chives"), ("hive", "hives"), ("move", "moves"), ("movie", "movies"), ("cookie", "cookies"),
    ("pretorium", "pretoriums"), ("agenda", "agendas"), ("formula", "formulas"), ("shoe", "shoes"),
    ("graffiti", "graffiti"),
];

/// Like [`IRREGULAR`], but only for the whole word, not for words that end so.
#[rustfmt::skip]
pub(super) const IRREGULAR_WHOLE: &[(&str, &str)] = &[
    ("ox", "oxen"), ("louse", "lice"), ("die", "dice"), ("axis", "axes"), ("alias", "aliases"),
    ("use", "uses"), ("toe", "toes"), ("ID", "IDs"),
];

/// Further plurals of irregular words, which are not changed.
#[rustfmt::skip]
pub(super) const OTHER_PLURALS: &[&str] = &[
    "beefs", "fishes", "salmons", "shrimps", "swines", "trouts", "tunas", "adieus", "bureaux", "ganglions",
    "lexicons", "mitochondrions", "stadia", "aquariums", "auditoriums", "symposiums", "curricula",
    "alumnuses", "cactuses", "focuses", "locuses", "nucleuses", "octopi", "radiuses", "corpuses", "apexes",
    "codexes", "indexes", "latexes", "vertexes", "vortexes", "appendixes", "radixes", "helixes", "buffalos",
    "dwarves", "hooves", "formulae",
];

/// Irregular plurals that flect does not recognize as plurals, because it cannot convert them to the singular.
pub(super) const UNKNOWN_PLURALS: &[&str] = &["blues", "ellipses"];

/// Singular and plural endings. The first match applies.
#[rustfmt::skip]
pub(super) const ENDINGS: &[(&str, &str)] = &[
    ("tive", "tives"), ("eaf", "eaves"), ("oaf", "oaves"), ("afe", "aves"), ("arf", "arves"), ("rfe", "rves"),
    ("rf", "rves"), ("lf", "lves"), ("fe", "ves"), ("ay", "ays"), ("ey", "eys"), ("oy", "oys"),
    ("quy", "quies"), ("uy", "uys"), ("y", "ies"), ("eau", "eaux"), ("bula", "bulae"), ("dula", "bulae"),
    ("lula", "bulae"), ("nula", "bulae"), ("vula", "bulae"), ("hedron", "hedra"), ("ium", "ia"),
    ("seum", "seums"), ("eum", "ea"), ("oum", "oa"), ("stracum", "straca"), ("dum", "da"), ("elum", "ela"),
    ("ilum", "ila"), ("olum", "ola"), ("ulum", "ula"), ("llum", "lla"), ("ylum", "yla"), ("imum", "ima"),
    ("ernum", "erna"), ("gnum", "gna"), ("brum", "bra"), ("crum", "cra"), ("terum", "tera"),
    ("serum", "sera"), ("trum", "tra"), ("antum", "anta"), ("atum", "ata"), ("entum", "enta"),
    ("etum", "eta"), ("itum", "ita"), ("otum", "ota"), ("utum", "uta"), ("ctum", "cta"), ("ovum", "ova"),
    ("trix", "trices"), ("iasis", "iases"), ("mesis", "meses"), ("kinesis", "kineses"), ("resis", "reses"),
    ("gnosis", "gnoses"), ("opsis", "opses"), ("ysis", "yses"), ("ouse", "ouses"), ("lause", "lauses"),
    ("us", "uses"), ("ch", "ches"), ("io", "ios"), ("sh", "shes"), ("ss", "sses"), ("ez", "ezzes"),
    ("iz", "izzes"), ("tz", "tzes"), ("zz", "zzes"), ("ano", "anos"), ("lo", "los"), ("to", "tos"),
    ("oo", "oos"), ("o", "oes"), ("x", "xes"), ("S", "Ses"),
];

/// Abbreviations that are separate words in a name.
#[rustfmt::skip]
pub(super) const ACRONYMS: &[&str] = &[
    "OK", "UTF8", "HTML", "JSON", "JWT", "ID", "UUID", "SQL", "ACK", "ACL", "ADSL", "AES", "ANSI", "API",
    "ARP", "ATM", "BGP", "BSS", "CCITT", "CHAP", "CIDR", "CIR", "CLI", "CPE", "CPU", "CRC", "CRT", "CSMA",
    "CMOS", "DCE", "DEC", "DES", "DHCP", "DNS", "DRAM", "DSL", "DSLAM", "DTE", "DMI", "EHA", "EIA", "EIGRP",
    "EOF", "ESS", "FCC", "FCS", "FDDI", "FTP", "GBIC", "GEPOF", "HDLC", "HTTP", "HTTPS", "IANA", "ICMP",
    "IDF", "IDS", "IEEE", "IETF", "IMAP", "IP", "IPS", "ISDN", "ISP", "LACP", "LAN", "LAPB", "LAPF", "LLC",
    "MAC", "MC", "MDF", "MIB", "MPLS", "MTU", "NAC", "NAT", "NBMA", "NIC", "NRZ", "NRZI", "NVRAM", "OSI",
    "OSPF", "OUI", "PAP", "PAT", "PC", "PIM", "PCM", "PDU", "POP3", "POTS", "PPP", "PPTP", "PTT", "PVST",
    "RAM", "RARP", "RFC", "RIP", "RLL", "ROM", "RSTP", "RTP", "RCP", "SDLC", "SFD", "SFP", "SLARP", "SLIP",
    "SMTP", "SNA", "SNAP", "SNMP", "SOF", "SRAM", "SSH", "SSID", "STP", "SYN", "TDM", "TFTP", "TIA", "TOFU",
    "UDP", "URL", "URI", "USB", "UTP", "VC", "VLAN", "VLSM", "VPN", "W3C", "WAN", "WEP", "WPA", "WWW",
];
