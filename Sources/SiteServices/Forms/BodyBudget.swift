import Cryptography
import Synchronization

/// Bytes of bodies that the process holds in memory at once, whatever they are for.
///
/// Clients that have not proven who they are have a part of it only, so that they cannot keep
/// everyone else from sending, and one network of them has a part of that.
package final class BodyBudget: Sendable {
    package enum Sender: Sendable, Hashable {
        case known
        /// From the network of an address.
        case stranger([UInt8])

        /// - Parameter address: of the client, as a trusted proxy reports it; all of an IPv4 address and
        ///   the network (/64) of an IPv6 address have one share.
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
    ///   - limitOfStrangers: those of them that come from clients which have not proven who they are.
    ///   - limitOfNetwork: those of strangers that come from one network.
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

    /// A part of the budget that has nothing in it yet, and gives everything back at its end.
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

/// What one body has of the budget, for as long as this lives.
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

    /// - Throws: ``Refusal/overloaded`` when the budget has not so much left.
    package func take(_ more: Int) throws(Refusal) {
        guard budget.take(more, for: sender) else { throw .overloaded }
        count.withLock { $0 += more }
    }
}
