/// The name of a profile without what Xcode puts in front of all names of those that it manages.
struct ProfileTitle {
    /// What tells it from others, such as `com.example.app`.
    let name: String
    /// Such as `iOS Team Ad Hoc Provisioning Profile`; nil for a name that a person gave.
    let beginning: String?

    init(_ whole: String) {
        guard let colon = whole.firstRange(of: ": "), colon.upperBound < whole.endIndex,
            whole[..<colon.lowerBound].hasSuffix("Provisioning Profile")
        else {
            name = whole
            beginning = nil
            return
        }
        name = String(whole[colon.upperBound...])
        beginning = String(whole[..<colon.lowerBound])
    }

    /// The name as HTML.
    var html: String { HTMLText.escaped(name) }
}
