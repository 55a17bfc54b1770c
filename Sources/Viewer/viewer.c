#include "viewer.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "index.html"
};

static const unsigned char viewer_css[] = {
#embed "viewer.css"
};

static const unsigned char data_js[] = {
#embed "data.js"
};

static const unsigned char grid_js[] = {
#embed "grid.js"
};

static const unsigned char sheets_js[] = {
#embed "sheets.js"
};

static const unsigned char layers_js[] = {
#embed "layers.js"
};

static const unsigned char pictures_js[] = {
#embed "pictures.js"
};

static const unsigned char panel_js[] = {
#embed "panel.js"
};

static const unsigned char results_js[] = {
#embed "results.js"
};

static const unsigned char similar_js[] = {
#embed "similar.js"
};

static const unsigned char filter_js[] = {
#embed "filter.js"
};

static const unsigned char selection_js[] = {
#embed "selection.js"
};

static const unsigned char keyboard_js[] = {
#embed "keyboard.js"
};

static const unsigned char main_js[] = {
#embed "main.js"
};

static const kiano_viewer_file files[] = {
    {"index.html", index_html, sizeof index_html},
    {"viewer.css", viewer_css, sizeof viewer_css},
    {"data.js", data_js, sizeof data_js},
    {"grid.js", grid_js, sizeof grid_js},
    {"sheets.js", sheets_js, sizeof sheets_js},
    {"layers.js", layers_js, sizeof layers_js},
    {"pictures.js", pictures_js, sizeof pictures_js},
    {"panel.js", panel_js, sizeof panel_js},
    {"results.js", results_js, sizeof results_js},
    {"similar.js", similar_js, sizeof similar_js},
    {"filter.js", filter_js, sizeof filter_js},
    {"selection.js", selection_js, sizeof selection_js},
    {"keyboard.js", keyboard_js, sizeof keyboard_js},
    {"main.js", main_js, sizeof main_js},
};
const kiano_viewer_file *const kiano_viewer_files = files;
const size_t kiano_viewer_files_count = sizeof files / sizeof files[0];
