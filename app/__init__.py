"""The page: Panel and Bokeh around the numbers of `specdec_core`. Draws and talks to the URL; computes no figure."""
