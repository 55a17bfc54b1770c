"""A headless Chromium, the maps that it opens, and what all tests of the page need."""

import contextlib
import functools
import http.server
import os
import pathlib
import subprocess
import tempfile
import threading
import time
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

from png import Picture

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
DRIVER = "/usr/bin/chromedriver"
# Of the small maps; the last cells are empty.
COLUMNS, ROWS, HOLES = 13, 11, 2
# Their pictures have the same vectors.
TWINS = 3, 100
# Names of the pictures 0 to 10, as the panel shows them.
NAMES = [
    "quote \" ' \\ `.jpg", "<script>alert(1)<_script>", "<img src=x onerror=alert(1)>.jpg", "#hash?query&amp;.jpg",
    "100%25 %zz.jpg", "line\u240abreak.jpg", "\ufffd\ufffd \ufffd.jpg", "\U0001f600 é.jpg", "javascript:alert(1).jpg",
    "${x} {{y}}.jpg", "\ufffdgpj.jpg",
]


def colour(picture):
    """What the thumbnail of a picture is filled with."""
    return 40 + picture * 37 % 200, 40 + picture * 91 % 200, 40 + picture * 53 % 200


@functools.cache
def maps():
    """The folder of the test maps, made by a Swift test unless KIANO_BROWSER_MAPS names one that has them."""
    folder = os.environ.get("KIANO_BROWSER_MAPS")
    if folder and (pathlib.Path(folder) / "endless").exists():
        return pathlib.Path(folder)
    folder = folder or tempfile.mkdtemp(prefix="kiano-browser-maps-")
    subprocess.run(
        ["swift", "test", "-c", "release", "-Xswiftc", "-enable-testing", "--skip-build", "--filter", "AtlasTests.BrowserMapTests"],
        cwd=REPOSITORY, env=os.environ | {"KIANO_BROWSER_MAPS": folder}, check=True)
    return pathlib.Path(folder)


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextlib.contextmanager
def server(folder):
    """Serves a folder on this machine alone; yields its address."""
    handler = functools.partial(QuietHandler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


class MapTest(unittest.TestCase):
    """A test of the page; after each, the console must have no complaint."""

    size = 1000, 700
    arguments = []
    # Chromium's own, about the file system and the like.
    base = None

    @classmethod
    def setUpClass(cls):
        options = webdriver.ChromeOptions()
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", *cls.arguments]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        cls.addClassCleanup(cls.driver.quit)
        cls.resize(*cls.size)
        cls.base = maps().as_uri()

    @classmethod
    def resize(cls, width, height, scale=1):
        cls.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": scale, "mobile": False})

    def tearDown(self):
        complaints = [entry["message"] for entry in self.driver.get_log("browser")]
        self.assertEqual(complaints, [])

    def open(self, name="endless", place=""):
        # A change of the hash alone wouldn't load the page anew.
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}/{name}/index.html{place}")
        self.settle()

    def run_script(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def settle(self):
        """Waits until the map neither moves nor loads."""
        self.wait(lambda: self.run_script(
            "return !kiano.layers.pictures.isLoading() && !document.querySelector('.leaflet-zoom-anim')"))
        # A tile fades in for a fifth of a second.
        time.sleep(0.35)

    def wait(self, condition, seconds=10):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end, "waited in vain")
            time.sleep(0.02)

    def find(self, name):
        return self.driver.find_element(By.ID, name)

    def text(self, name):
        return self.find(name).get_property("textContent")

    def screenshot(self):
        """The map as the screen shows it, without what floats above it."""
        script = (
            "for (const e of document.querySelectorAll('.bar, .panel, .tray, .leaflet-control-container'))"
            "e.style.visibility = arguments[0]")
        self.run_script("document.activeElement.blur();" + script, "hidden")
        time.sleep(0.1)
        picture = Picture(self.driver.get_screenshot_as_png())
        self.run_script(script, "")
        return picture

    def view(self):
        """Column, row and zoom in the middle of the screen, not wrapped."""
        return self.run_script(
            "const c = kiano.view.map.getCenter(); return [c.lng, c.lat, kiano.view.map.getZoom()]")

    def set_view(self, column, row, zoom):
        self.run_script(
            "kiano.view.map.setView([arguments[1], arguments[0]], arguments[2], {animate: false})", column, row, zoom)
        self.settle()

    def show(self, picture):
        self.run_script("kiano.view.show(arguments[0], {moves: true})", picture)
        self.wait(lambda: self.run_script("return kiano.panel.picture") == picture)
        self.settle()

    def assert_close(self, first, second, within=12):
        self.assertTrue(all(abs(a - b) <= within for a, b in zip(first, second)), f"{first} is not {second}")
