/// What may still be spent on the settings of one project.
///
/// References, templates and groups may name one another over and over, so that a few hundred bytes
/// ask for more than any machine can do.
struct SettingWork: Sendable {
    /// Characters and values that are examined; 500 targets with 200 settings each take a third.
    static let limit = 32 << 20
    /// What one target costs in one configuration, beside its settings.
    static let target = 1000
    /// What a template or a group costs, beside what is in it.
    static let group = 100
    /// What it costs to see whether a variant is meant.
    static let variant = 40
    /// What it costs to read a byte of a file of settings.
    static let byte = 4

    private var left = Self.limit

    /// - Throws: ``SettingsFlaw/tooMuch(_:)`` naming `place` when nothing is left.
    mutating func spend(_ amount: Int, at place: String) throws(SettingsFlaw) {
        left -= amount
        guard left >= 0 else { throw .tooMuch(place) }
    }
}
