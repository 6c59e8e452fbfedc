/// A bar that shows a share.
struct ShareBar: Sendable {
    /// In units of a drawing that is 100 wide.
    let width: String
    let label: String
    let tone: String

    init(_ part: Int, of whole: Int, label: String, tone: String = "good") {
        let share = whole == 0 ? 0 : Double(part) / Double(whole)
        width = "\((min(1, max(0, share)) * 1000).rounded() / 10)"
        self.label = label
        self.tone = tone
    }
}
