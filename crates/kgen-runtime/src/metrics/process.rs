//! The metrics of the process on Linux, with the names of Prometheus' Go client. They are read from `/proc`.

use std::fmt::Error;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;

/// The clock ticks per second in `/proc`. Linux has the same value on all platforms.
const TICKS: f64 = 100.0;

/// Reads `/proc` whenever the metrics are read.
#[derive(Debug)]
pub(super) struct Process;

/// The content of `/proc/self`.
#[derive(Debug, Default, PartialEq)]
struct Values {
    cpu_seconds: Option<f64>,
    start_time: Option<f64>,
    virtual_bytes: Option<f64>,
    virtual_max_bytes: Option<f64>,
    resident_bytes: Option<f64>,
    open_files: Option<f64>,
    max_files: Option<f64>,
    received_bytes: Option<f64>,
    sent_bytes: Option<f64>,
}

impl Values {
    fn read() -> Self {
        let file = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let open_files = std::fs::read_dir("/proc/self/fd").ok();
        Self {
            // One of them is the folder itself.
            open_files: open_files.map(|files| count(files.count().saturating_sub(1))),
            ..Self::parse(
                &file("/proc/self/stat"),
                &file("/proc/self/status"),
                &file("/proc/self/limits"),
                &file("/proc/stat"),
                &file("/proc/self/net/netstat"),
            )
        }
    }

    fn parse(stat: &str, status: &str, limits: &str, boot: &str, net: &str) -> Self {
        // The name of the program is in parentheses, and can contain spaces and parentheses.
        let fields: Vec<&str> = stat
            .rsplit_once(')')
            .map(|(_, rest)| rest.split_whitespace().collect())
            .unwrap_or_default();
        // The third field of the manual page is the first one here.
        let field = |number: usize| fields.get(number - 3)?.parse::<f64>().ok();
        let booted = boot.lines().find_map(|line| line.strip_prefix("btime "));
        let booted = booted.and_then(|seconds| seconds.trim().parse::<f64>().ok());
        Self {
            cpu_seconds: field(14)
                .zip(field(15))
                .map(|(user, system)| (user + system) / TICKS),
            start_time: field(22)
                .zip(booted)
                .map(|(ticks, booted)| booted + ticks / TICKS),
            virtual_bytes: field(23),
            virtual_max_bytes: limit(limits, "Max address space"),
            // Not the field of `stat`, which counts pages: their size depends on the kernel.
            resident_bytes: kilobytes(status, "VmRSS:"),
            open_files: None,
            max_files: limit(limits, "Max open files"),
            received_bytes: extended(net, "InOctets"),
            sent_bytes: extended(net, "OutOctets"),
        }
    }
}

/// Returns the value of a line such as `VmRSS:  1234 kB` in bytes.
fn kilobytes(status: &str, name: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let number: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(number * 1024.0)
}

/// Returns the soft limit of that name.
fn limit(limits: &str, name: &str) -> Option<f64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
    match line.split_whitespace().next()? {
        "unlimited" => Some(f64::MAX),
        value => value.parse().ok(),
    }
}

/// Returns a value of the section `IpExt`: one line has the names and the next one the values.
fn extended(net: &str, name: &str) -> Option<f64> {
    let mut lines = net.lines().filter_map(|line| line.strip_prefix("IpExt:"));
    let (names, values) = (lines.next()?, lines.next()?);
    let place = names.split_whitespace().position(|other| other == name)?;
    values.split_whitespace().nth(place)?.parse().ok()
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), Error> {
        let values = Values::read();
        let mut write = |name: &str, help: &str, value: Option<f64>, is_counter: bool| {
            let Some(value) = value else { return Ok(()) };
            if is_counter {
                let counter = ConstCounter::new(value);
                counter.encode(encoder.encode_descriptor(name, help, None, counter.metric_type())?)
            } else {
                let gauge = ConstGauge::new(value);
                gauge.encode(encoder.encode_descriptor(name, help, None, gauge.metric_type())?)
            }
        };
        write(
            "process_cpu_seconds",
            "CPU time in user and kernel mode",
            values.cpu_seconds,
            true,
        )?;
        write(
            "process_start_time_seconds",
            "Start of the process, in seconds since 1970",
            values.start_time,
            false,
        )?;
        write(
            "process_virtual_memory_bytes",
            "Virtual memory",
            values.virtual_bytes,
            false,
        )?;
        write(
            "process_virtual_memory_max_bytes",
            "Limit of virtual memory",
            values.virtual_max_bytes,
            false,
        )?;
        write(
            "process_resident_memory_bytes",
            "Memory in RAM",
            values.resident_bytes,
            false,
        )?;
        write(
            "process_open_fds",
            "Open file descriptors",
            values.open_files,
            false,
        )?;
        write(
            "process_max_fds",
            "Limit of open file descriptors",
            values.max_files,
            false,
        )?;
        write(
            "process_network_receive_bytes",
            "Bytes received in the network namespace",
            values.received_bytes,
            true,
        )?;
        write(
            "process_network_transmit_bytes",
            "Bytes sent in the network namespace",
            values.sent_bytes,
            true,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_behind_an_odd_name() {
        let stat = "7 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 250 150 13 14 15 16 17 18 6000 8192 2 21";
        let limits = "Limit                     Soft Limit           Hard Limit           Units\n\
                      Max open files            1024                 4096                 files\n\
                      Max address space         unlimited            unlimited            bytes\n";
        let net = "TcpExt: A\nTcpExt: 1\nIpExt: InNoRoutes InOctets OutOctets\nIpExt: 0 11 22\n";
        let status = "Name:\ta\nVmHWM:\t      16 kB\nVmRSS:\t       8 kB\n";
        let values = Values::parse(stat, status, limits, "cpu 1\nbtime 1000\n", net);
        let expected = Values {
            cpu_seconds: Some(4.0),
            start_time: Some(1060.0),
            virtual_bytes: Some(8192.0),
            virtual_max_bytes: Some(f64::MAX),
            resident_bytes: Some(8192.0),
            open_files: None,
            max_files: Some(1024.0),
            received_bytes: Some(11.0),
            sent_bytes: Some(22.0),
        };
        assert_eq!(values, expected);
        assert_eq!(Values::parse("", "", "", "", ""), Values::default());
    }

    #[test]
    fn this_process_has_values() {
        if cfg!(target_os = "linux") {
            let values = Values::read();
            assert!(
                values.resident_bytes.is_some_and(|bytes| bytes > 100_000.0),
                "{values:?}"
            );
            assert!(values.open_files.is_some_and(|files| files > 2.0), "{values:?}");
            assert!(values.start_time.is_some_and(|time| time > 1.6e9), "{values:?}");
        }
    }
}
