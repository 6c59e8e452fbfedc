/// Whether two arrays hold the same bytes.
///
/// This module is compiled with optimisation; in a test, which is not, `==` of arrays compares byte by byte
/// through `Equatable`.
package func areSame(_ one: [UInt8], _ other: [UInt8]) -> Bool { one == other }
