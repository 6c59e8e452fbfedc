/// The remaining work allowed for the settings of a project.
///
/// References, templates and groups can refer to each other repeatedly, so a few hundred bytes could take
/// more work than any machine can do.
struct SettingWork: Sendable {
    /// The allowed number of characters and values examined; 500 targets with 200 settings each take a
    /// third.
    static let limit = 32 << 20
    /// The cost of a target in one configuration, without its settings.
    static let target = 1000
    /// The cost of a template or a group, without its contents.
    static let group = 100
    /// The cost of checking whether a variant applies.
    static let variant = 40
    /// The cost of reading one byte of a settings file.
    static let byte = 4

    private var left = Self.limit

    /// - Throws: ``SettingsFlaw/tooMuch(_:)`` with `place` when nothing remains.
    mutating func spend(_ amount: Int, at place: String) throws(SettingsFlaw) {
        left -= amount
        guard left >= 0 else { throw .tooMuch(place) }
    }
}
