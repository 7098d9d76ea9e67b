mod defaults;
mod kiln;
mod limits;
mod schemas;
