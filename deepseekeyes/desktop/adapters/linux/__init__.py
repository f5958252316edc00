"""Linux: windows and input over X11, elements over AT-SPI."""
