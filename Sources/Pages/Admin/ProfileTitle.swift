/// The name of a profile without the prefix that Xcode gives to all profiles that it manages.
struct ProfileTitle {
    /// The distinctive part, such as `com.example.app`.
    let name: String
    /// Such as `iOS Team Ad Hoc Provisioning Profile`; nil for a name chosen by a person.
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
