extension Device.State {
    /// The text of the state in all user interfaces.
    package var words: String {
        switch self {
        case .invited: "invited"
        case .enrolled: "pending approval"
        case .approved: "not yet at Apple"
        case .registered: "registered"
        case .disabled: "disabled"
        }
    }
}
