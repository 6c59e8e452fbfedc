/// Whether two arrays hold the same bytes.
///
/// In a test, which is not optimised, `==` of arrays asks for each byte whether it is equal.
package func areSame(_ one: [UInt8], _ other: [UInt8]) -> Bool { one == other }
