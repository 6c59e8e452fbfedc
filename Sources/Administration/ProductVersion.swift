/// The version of this `ota`.
package enum ProductVersion {
    package static let text = "0.1.0"
}
