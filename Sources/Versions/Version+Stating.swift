extension Version {
    /// Whether an app that states `text` is this version.
    ///
    /// `1.2` and `1.2.0` are the same, and an app of the pre-release `1.3.0-beta.2` states 1.3.0,
    /// because Xcode takes integers only.
    package func isStated(as text: String) -> Bool {
        guard text != description else { return true }
        guard let stated = try? Version(text) else { return false }
        return stated == self || !stated.isPrerelease && stated.marketing == marketing
    }
}
