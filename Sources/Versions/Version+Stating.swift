extension Version {
    /// Whether an app whose version is `text` is this version.
    ///
    /// `1.2` equals `1.2.0`, and an app of the pre-release `1.3.0-beta.2` has 1.3.0, because Xcode
    /// accepts only integers.
    package func isStated(as text: String) -> Bool {
        guard text != description else { return true }
        guard let stated = try? Version(text) else { return false }
        return stated == self || !stated.isPrerelease && stated.marketing == marketing
    }
}
