"""The page of a map in a real browser, from the disk and from a server.

    /usr/bin/python3 -m unittest discover -s Tests/BrowserTests

Needs a release build with its tests, and the packages chromium-driver and python3-selenium.
"""

import time
import unittest
import urllib.parse

from selenium.webdriver import ActionChains, Keys

from browser import COLUMNS, HOLES, NAMES, ROWS, TWINS, MapTest, colour, maps, server


class FromDisk(MapTest):
    # --- The map

    def test_seam_is_exact_at_every_zoom(self):
        self.open()
        for zoom in range(int(self.run_script("return kiano.view.map.getMinZoom()")), 9):
            for column, row in [(0, 0), (6.5, 10.25)]:
                self.set_view(column, row, zoom)
                here = self.screenshot()
                self.set_view(column + COLUMNS, row - 2 * ROWS, zoom)
                self.assertTrue(here == self.screenshot(), f"zoom {zoom} at {column}, {row}")

    def test_neighbours_across_the_seam(self):
        self.open()
        self.set_view(0, 0, 7)
        shot = self.screenshot()
        x, y = shot.width // 2, shot.height // 2
        page = self.run_script("return getComputedStyle(document.getElementById('map')).backgroundColor")
        self.assert_close(shot.colour(x + 64, y + 64), colour(0))
        self.assert_close(shot.colour(x - 64, y + 64), colour(COLUMNS - 1))
        self.assert_close(shot.colour(x + 64, y - 64), colour(COLUMNS * (ROWS - 1)))
        self.assert_close(shot.colour(x - 64, y - 64), [int(part) for part in page[4:-1].split(",")])

    def test_every_cell_has_its_colour_at_every_zoom(self):
        self.open()
        for zoom in range(5, 9):
            self.set_view(COLUMNS / 2, ROWS / 2, zoom)
            shot, side = self.screenshot(), 2**zoom
            for picture in range(COLUMNS * ROWS - HOLES):
                x = shot.width / 2 + (picture % COLUMNS + 0.5 - COLUMNS / 2) * side
                y = shot.height / 2 + (picture // COLUMNS + 0.5 - ROWS / 2) * side
                if 0 <= x < shot.width and 0 <= y < shot.height:
                    self.assert_close(shot.colour(int(x), int(y)), colour(picture))

    def test_sharp_screen(self):
        self.addCleanup(self.resize, *self.size)
        self.resize(500, 400, 2)
        self.open(place="#0,0,6")
        shot = self.screenshot()
        self.assertEqual(shot.width, 1000)
        self.assert_close(shot.colour(564, 464), colour(0))
        self.assert_close(shot.colour(436, 464), colour(COLUMNS - 1))

    def test_bounded_map_ends(self):
        self.open("bounded")
        # It can't be moved further than a little beyond its corner.
        self.set_view(-100, -100, 7)
        shot, (column, row, _) = self.screenshot(), self.view()
        x, y = int(shot.width / 2 - column * 128), int(shot.height / 2 - row * 128)
        self.assertTrue(0 < x < shot.width and 0 < y < shot.height)
        self.assert_close(shot.colour(x + 64, y + 64), colour(0))
        page = shot.colour(x - 64, y + 64)
        self.assertEqual(page, shot.colour(x + 64, y - 64))
        self.assertNotEqual(page, shot.colour(x + 64, y + 64))

    def test_wide_map(self):
        self.open("wide")
        self.assertEqual(self.text("summary"), "20,998 pictures · 11 unreadable")
        self.set_view(300, 35, 7)
        shot = self.screenshot()
        self.assert_close(shot.colour(shot.width // 2 + 64, shot.height // 2 + 64), colour(300 * 35))
        self.assert_close(shot.colour(shot.width // 2 - 64, shot.height // 2 + 64), colour(300 * 35 + 299))

    def test_original_that_is_gone(self):
        self.open("wide")
        self.show(20_000)
        self.wait(lambda: self.text("picture-name") == "picture 20000.jpg")
        self.assertTrue(self.find("picture-original").get_property("hidden"))
        # That much the browser says by itself.
        for entry in self.driver.get_log("browser"):
            self.assertIn("ERR_FILE_NOT_FOUND", entry["message"])

    def test_dragging(self):
        self.open(place="#5,5,7")
        ActionChains(self.driver).move_to_element(self.find("map")).click_and_hold() \
            .move_by_offset(-4, 0).move_by_offset(-256, 128).pause(0.5).release().perform()
        self.settle()
        column, row, _ = self.view()
        self.assertAlmostEqual(column, 7, delta=0.1)
        self.assertAlmostEqual(row, 4, delta=0.1)
        self.assertTrue(self.find("panel").get_property("hidden"), "a drag is no click")

    def test_wheel(self):
        self.open(place="#5,5,6")
        ActionChains(self.driver).move_to_element(self.find("map")).scroll_by_amount(0, -200).perform()
        self.wait(lambda: self.view()[2] > 6)
        self.settle()

    def test_far_away(self):
        self.open(place="#5,5,7")
        self.set_view(5 + COLUMNS * 10_000, 5, 7)
        self.assertAlmostEqual(self.view()[0], 5, delta=0.01)

    # --- Addresses

    def test_address_follows_and_leads(self):
        self.open(place="#3.5,4.5,7")
        self.assertEqual(self.view(), [3.5, 4.5, 7])
        self.set_view(COLUMNS + 1.25, -1, 6)
        self.wait(lambda: self.driver.current_url.endswith("#1.25,10.00,6"))
        self.driver.refresh()
        self.settle()
        self.assertEqual(self.view(), [1.25, 10, 6])
        self.run_script("location.hash = '#2,3,7'")
        self.wait(lambda: self.view() == [2, 3, 7])

    def test_nonsense_addresses(self):
        for place in ["#", "#x", "#1,2", "#NaN,1,2", "#1e99,1,99", "#<script>"]:
            self.open(place=place)
            self.assertGreater(self.view()[2], 0)

    # --- Pictures

    def test_click_opens_the_picture(self):
        self.open(place="#4.5,3.5,7")
        ActionChains(self.driver).move_to_element(self.find("map")).click().perform()
        self.wait(lambda: self.text("picture-name") == f"picture {3 * COLUMNS + 4}.jpg")
        self.assertEqual(self.text("picture-folder"), str(maps() / "originals"))
        self.assertEqual(self.text("picture-size"), "4000 × 3000")
        self.find("panel").find_element("css selector", "[data-close]").click()
        self.assertTrue(self.find("panel").get_property("hidden"))

    def test_hostile_names(self):
        self.open()
        for picture, name in enumerate(NAMES):
            self.show(picture)
            self.wait(lambda: self.text("picture-name") == name)
            link = self.find("picture-link").get_property("href")
            self.assertTrue(link.startswith("file:///"), link)
            original = urllib.parse.unquote_to_bytes(urllib.parse.urlsplit(link).path)
            with open(original, "rb") as file:
                self.assertEqual(file.read(2), b"\xff\xd8")
            self.check_original()
        self.assertEqual(self.run_script("return document.querySelectorAll('#panel script').length"), 0)

    def check_original(self):
        self.wait(lambda: self.run_script(
            "const i = document.getElementById('picture-original'); return !i.hidden && i.naturalWidth === 128"))

    def test_partial_and_date(self):
        self.open()
        self.show(3)
        self.wait(lambda: self.text("picture-taken").replace("\u202f", " ") == "July 13, 2021 at 12:34 PM")
        self.show(5)
        self.wait(lambda: "damaged" in self.text("picture-size"))
        self.assertEqual(self.text("picture-taken"), "unknown")

    # --- Finding

    def test_similar(self):
        self.open()
        self.show(TWINS[0])
        self.find("picture-similar").click()
        for weight in [None, 0, 100]:
            if weight is not None:
                self.run_script(
                    "const w = document.getElementById('weight'); w.value = arguments[0];"
                    "w.dispatchEvent(new Event('input'))", weight)
                time.sleep(0.3)
            self.wait(lambda: self.results()[:1] == [TWINS[1]])
            self.assertEqual(len(self.results()), 60)
            self.assertNotIn(TWINS[0], self.results())
        self.find("results-list").find_element("css selector", "button").click()
        self.wait(lambda: self.text("picture-name") == f"picture {TWINS[1]}.jpg")

    def results(self):
        return self.run_script(
            "return [...document.querySelectorAll('#results-list button')].map((b) => Number(b.dataset.picture))")

    def test_filter(self):
        self.open()
        search = self.find("filter-text")
        for query, expected in [
            ("picture 100", [100]), ("2021-07-13 <", []), ("HASH?", [3]), ("\u00e9", [7]), ("e\u0301", [7]),
            ("<img", [2]), ("%25", [4]),
        ]:
            self.run_script("arguments[0].value = ''", search)
            search.send_keys(query, Keys.ENTER)
            self.wait(lambda: self.results() == expected and not self.find("results").get_property("hidden"))
        search.send_keys(Keys.CONTROL, "a")
        search.send_keys("2021-07-13", Keys.ENTER)
        self.wait(lambda: self.results() == [p for p in range(COLUMNS * ROWS - HOLES) if p % 3 == 0 and p % 20 == 3])
        search.send_keys(Keys.ESCAPE)
        self.wait(lambda: self.find("panel").get_property("hidden"))
        self.assertEqual(self.run_script("return document.activeElement.id"), "map")

    def test_marks_dim_the_rest(self):
        self.open(place="#4.5,3.5,6")
        before = self.screenshot()
        picture = 3 * COLUMNS + 4
        self.find("filter-text").send_keys(f"picture {picture}.jpg", Keys.ENTER)
        self.wait(lambda: self.results() == [picture])
        after = self.screenshot()
        x, y = after.width // 2, after.height // 2
        self.assertEqual(before.colour(x, y), after.colour(x, y))
        self.assertNotEqual(before.colour(x + 64, y), after.colour(x + 64, y))

    # --- Keyboard

    def test_keyboard_alone(self):
        self.open(place="#4.5,3.5,7")
        keys = lambda *sequence: ActionChains(self.driver).send_keys(*sequence).perform()
        keys(Keys.TAB)
        self.assertEqual(self.run_script("return document.activeElement.id"), "map")
        keys(Keys.ENTER)
        self.wait(lambda: self.text("picture-name") == f"picture {3 * COLUMNS + 4}.jpg")
        keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
        self.wait(lambda: self.text("picture-name") == f"picture {4 * COLUMNS + 5}.jpg")
        self.assertIn("picture 57.jpg", self.text("announcement"))
        keys(Keys.ESCAPE)
        self.assertTrue(self.find("panel").get_property("hidden"))
        for _ in range(COLUMNS):
            keys(Keys.ARROW_LEFT)
        keys(Keys.ENTER)
        self.wait(lambda: self.text("picture-name") == f"picture {4 * COLUMNS + 5}.jpg")
        keys(Keys.ESCAPE)
        keys(" ")
        self.assertEqual(self.text("selection-count"), "1 selected")
        keys("-")
        self.wait(lambda: self.view()[2] == 6)
        self.settle()
        keys("+")
        self.wait(lambda: self.view()[2] == 7)
        self.settle()
        keys("/")
        self.assertEqual(self.run_script("return document.activeElement.id"), "filter-text")
        keys("picture 100")
        self.wait(lambda: self.results() == [100])

    def test_quick_zooming_loses_no_step(self):
        self.open()
        for has_cursor in False, True:
            self.set_view(6, 5, 5)
            keys = lambda *sequence: ActionChains(self.driver).send_keys(*sequence).perform()
            if has_cursor:
                keys(Keys.ARROW_RIGHT)
            keys("+", "+", "+")
            self.wait(lambda: self.view()[2] == 8)
            keys("-", "-", "+", "-", "-")
            self.wait(lambda: self.view()[2] == 5)
            self.settle()
            self.assertEqual(self.view()[2], 5)

    def test_everything_has_a_name(self):
        self.open()
        self.show(TWINS[0])
        self.find("picture-similar").click()
        self.wait(lambda: len(self.results()) == 60)
        self.run_script("kiano.selection.toggle(1)")
        time.sleep(0.2)
        for element in self.driver.find_elements("css selector", "button, a, input, [role=application], [role=region]"):
            if element.is_displayed():
                self.assertTrue(element.accessible_name, element.get_attribute("outerHTML"))

    # --- Selection

    def test_selecting_a_rectangle(self):
        self.open(place="#0,0,6")
        ActionChains(self.driver).key_down(Keys.SHIFT).move_to_element_with_offset(self.find("map"), 10, 10) \
            .click_and_hold().move_by_offset(128, 64).release().key_up(Keys.SHIFT).perform()
        self.assertEqual(self.text("selection-count"), "6 selected")
        self.assertEqual(self.run_script("return [0, 1, 2, 13, 14, 15].every((c) => kiano.selection.has(c))"), True)
        self.assertTrue(self.find("panel").get_property("hidden"), "selecting opens nothing")
        ActionChains(self.driver).key_down(Keys.CONTROL).move_to_element_with_offset(self.find("map"), 10, 10) \
            .click().key_up(Keys.CONTROL).perform()
        self.assertEqual(self.text("selection-count"), "5 selected")
        self.find("selection-clear").click()
        self.assertTrue(self.find("selection").get_property("hidden"))

    def test_saving_the_list(self):
        self.open()
        for cells, separator in [([6, 7], "\n"), ([4, 5, 6], "\0")]:
            saved = self.run_script("""
                kiano.selection.clear();
                for (const cell of arguments[0]) kiano.selection.toggle(cell);
                const original = URL.createObjectURL;
                const blob = new Promise((resolve) => { URL.createObjectURL = (b) => { resolve(b); return "#"; }; });
                HTMLAnchorElement.prototype.click = () => {};
                document.getElementById("selection-save").click();
                return blob.then(async (b) => {
                  URL.createObjectURL = original;
                  return [...new Uint8Array(await b.arrayBuffer())];
                });""", cells)
            paths = bytes(saved).split(separator.encode())
            self.assertEqual(len(paths), len(cells) + 1)
            for path in paths[:-1]:
                with open(path, "rb"):
                    pass

    # --- Nothing from elsewhere

    def test_loads_only_its_own_files(self):
        self.open()
        self.show(20)
        self.find("picture-similar").click()
        self.wait(lambda: len(self.results()) == 60)
        names = self.run_script("return performance.getEntriesByType('resource').map((e) => e.name)")
        for name in names:
            self.assertTrue(name.startswith((self.base, "data:", "blob:", "file:///")), name)


class FromServer(FromDisk):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.base = cls.enterClassContext(server(maps()))

    def check_original(self):
        # Pages from a server may not show files.
        self.assertTrue(self.find("picture-original").get_property("hidden"))
        self.assertFalse(self.find("picture-link").is_displayed())


if __name__ == "__main__":
    unittest.main()
