#ifndef KIANO_EXCHANGE_H
#define KIANO_EXCHANGE_H

/// Lets two names trade what they lead to, in one step: Linux's renameat2, which Swift's Glibc module leaves out.
///
/// Returns the system's error number, 0 where all went well.
int kiano_exchange(const char *first, const char *second);

#endif
