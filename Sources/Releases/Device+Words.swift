extension Device.State {
    /// What people read of it, everywhere.
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
