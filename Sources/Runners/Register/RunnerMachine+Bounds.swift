import Bytes
package import Essentials

extension RunnerMachine {
    /// Scalars of each text that are kept.
    private static let textLimit = 100
    /// Xcodes that are kept.
    private static let xcodeLimit = 30

    /// The same as it may stand in a document and on a page, however long and odd it came.
    var bounded: RunnerMachine {
        RunnerMachine(
            system: Self.plain(system),
            python: Self.plain(python),
            agent: Self.plain(agent),
            xcodes: xcodes.prefix(Self.xcodeLimit).map(Self.plain),
            freeBytes: max(0, freeBytes),
        )
    }

    /// Whether anything else than the room on its disk is different.
    func isOther(than machine: RunnerMachine?) -> Bool {
        var same = bounded
        same.freeBytes = machine?.freeBytes ?? 0
        return same != machine
    }

    private static func plain(_ text: String) -> String {
        PrintableText(escaping: text, limit: textLimit).text
    }
}

extension Runner {
    /// Whether the register should be written for this word of its agent.
    ///
    /// - Parameters:
    ///   - machine: what the agent says of its machine; nil where it says nothing of it.
    ///   - date: now.
    /// - Returns: whether it says something new, or was not noted for a while.
    package func isWorthNoting(_ machine: RunnerMachine?, at date: Date) -> Bool {
        if let machine, machine.isOther(than: self.machine) { return true }
        guard let seen else { return true }
        // A clock that was set back must not keep a runner from being seen.
        return abs(date.timeIntervalSince(seen)) >= Self.seenGrain
    }

    /// Whether it was heard from so lately that it is probably there.
    package func isOnline(at date: Date) -> Bool {
        guard token != nil, let seen else { return false }
        return date.timeIntervalSince(seen) < 2 * Self.seenGrain
    }
}
