# The program for a system; development builds are made by swift build.

.PHONY: deb check-package

# A Debian package in dist/.
deb:
	scripts/make-deb

# Installs it into a new Debian and uses it there; needs root and debootstrap.
check-package: deb
	scripts/check-package
