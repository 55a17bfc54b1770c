// Filled in with the Sorting module.
