import Bundles
package import Essentials
package import Identifiers

extension InvitationRegister {
    /// Removes invitations that ended long ago, and expired codes.
    ///
    /// - Returns: whether anything changed.
    @discardableResult
    package mutating func prune(at date: Date) -> Bool {
        let count = invitations.count
        invitations.removeAll { invitation in
            guard let ended = invitation.ended(at: date) else { return false }
            return date.timeIntervalSince(ended) > Self.memory
        }
        var excess = invitations.count - Self.totalLimit + 1
        if excess > 0 {
            invitations.removeAll { invitation in
                guard excess > 0, invitation.state(at: date) != .open else { return false }
                excess -= 1
                return true
            }
        }
        var hasChanged = invitations.count != count
        for index in invitations.indices {
            guard let code = invitations[index].code, date >= code.expires else { continue }
            invitations[index].code = nil
            hasChanged = true
        }
        return hasChanged
    }

    /// Erases all traces of a device, on request of its owner.
    package mutating func forget(_ device: DeviceUDID) {
        invitations.removeAll { !$0.isForMany && $0.use?.device == device }
        for index in invitations.indices where invitations[index].use(by: device) != nil {
            invitations[index].removeUse(by: device)
            // Its place remains taken.
            invitations[index].erasedUses = (invitations[index].erasedUses ?? 0) + 1
        }
    }
}

extension Invitation {
    /// Returns when the invitation could no longer be used; nil for an open one.
    fileprivate func ended(at date: Date) -> Date? {
        switch state(at: date) {
        case .open: nil
        case .used: uses.last?.date ?? expires
        case .revoked: revocation?.date
        case .expired: expires
        }
    }
}
