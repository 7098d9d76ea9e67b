pub struct {
