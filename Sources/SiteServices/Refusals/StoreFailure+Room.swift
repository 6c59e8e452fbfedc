package import Store

extension StoreFailure {
    /// Whether the disk, or the user's share of it, is full.
    package var isLackOfRoom: Bool {
        guard case .system(let failure) = self else { return false }
        return [.noSpace, .quota].contains(failure.cause)
    }
}
