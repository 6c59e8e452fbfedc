import Cryptography
import Synchronization

/// The budget for the bytes of request bodies that the process holds in memory at once.
///
/// Unauthenticated clients may use only a part of it, so that they cannot keep everyone else from
/// sending, and each of their networks only a part of that.
package final class BodyBudget: Sendable {
    package enum Sender: Sendable, Hashable {
        case known
        /// An unauthenticated client, identified by its network.
        case stranger([UInt8])

        /// - Parameter address: the client's address, as a trusted proxy reports it; each IPv4 address
        ///   and each IPv6 network (/64) has one share.
        /// - Returns: the sender.
        package static func stranger(at address: String) -> Sender {
            .stranger(AlternativeName(address).network ?? Array(address.utf8))
        }
    }

    private struct Use {
        var all = 0
        var ofStrangers = 0
        var ofNetworks: [[UInt8]: Int] = [:]
    }

    private let limit: Int
    private let limitOfStrangers: Int
    private let limitOfNetwork: Int
    private let use = Mutex(Use())

    /// - Parameters:
    ///   - limit: bytes of all bodies together.
    ///   - limitOfStrangers: bytes of the bodies of unauthenticated clients.
    ///   - limitOfNetwork: bytes of the bodies of unauthenticated clients in one network.
    package init(
        _ limit: Int,
        ofStrangers limitOfStrangers: Int,
        ofOneNetwork limitOfNetwork: Int,
    ) {
        self.limit = limit
        self.limitOfStrangers = limitOfStrangers
        self.limitOfNetwork = limitOfNetwork
    }

    /// Bytes in use.
    package var used: Int { use.withLock { $0.all } }

    /// Returns an empty share of the budget, which is released when it is deinitialised.
    package func share(for sender: Sender) -> BodyShare { BodyShare(of: self, for: sender) }

    fileprivate func take(_ count: Int, for sender: Sender) -> Bool {
        use.withLock { use in
            guard use.all + count <= limit else { return false }
            if case .stranger(let network) = sender {
                let ofNetwork = use.ofNetworks[network] ?? 0
                guard use.ofStrangers + count <= limitOfStrangers,
                    ofNetwork + count <= limitOfNetwork
                else { return false }
                use.ofStrangers += count
                use.ofNetworks[network] = ofNetwork + count
            }
            use.all += count
            return true
        }
    }

    fileprivate func giveBack(_ count: Int, of sender: Sender) {
        use.withLock { use in
            use.all -= count
            if case .stranger(let network) = sender {
                use.ofStrangers -= count
                let left = (use.ofNetworks[network] ?? 0) - count
                use.ofNetworks[network] = left > 0 ? left : nil
            }
        }
    }
}

/// The bytes of the budget that one body uses, until this object is deinitialised.
package final class BodyShare: Sendable {
    private let budget: BodyBudget
    private let sender: BodyBudget.Sender
    private let count = Mutex(0)

    fileprivate init(of budget: BodyBudget, for sender: BodyBudget.Sender) {
        self.budget = budget
        self.sender = sender
    }

    deinit {
        budget.giveBack(count.withLock { $0 }, of: sender)
    }

    /// - Throws: ``Refusal/overloaded`` if less than `more` bytes of the budget are left.
    package func take(_ more: Int) throws(Refusal) {
        guard budget.take(more, for: sender) else { throw .overloaded }
        count.withLock { $0 += more }
    }
}
