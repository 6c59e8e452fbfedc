import Bytes
package import Essentials

extension RunnerMachine {
    /// The number of Unicode scalars that are kept of each text.
    private static let textLimit = 100
    /// The number of Xcodes that are kept.
    private static let xcodeLimit = 30

    /// The description within bounds, printable in a document and on a page.
    var bounded: RunnerMachine {
        RunnerMachine(
            system: Self.plain(system),
            python: Self.plain(python),
            agent: Self.plain(agent),
            xcodes: xcodes.prefix(Self.xcodeLimit).map(Self.plain),
            freeBytes: max(0, freeBytes),
        )
    }

    /// Whether anything but the free disk space differs.
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
    /// Whether the register should record this message of the agent.
    ///
    /// - Parameters:
    ///   - machine: the agent's description of its machine; nil if the message has none.
    ///   - date: the current time.
    ///   - grain: seconds after which a record is old.
    /// - Returns: whether the message has something new, or the last record is old.
    package func isWorthNoting(
        _ machine: RunnerMachine?,
        at date: Date,
        grain: Double = seenGrain,
    ) -> Bool {
        if let machine, machine.isOther(than: self.machine) { return true }
        guard let seen, isGone != true else { return true }
        // A clock that was set back must not keep a runner from being recorded.
        return abs(date.timeIntervalSince(seen)) >= grain
    }

    /// Whether it was heard from recently enough to be online, and is not known to be gone.
    package func isOnline(at date: Date) -> Bool {
        guard token != nil, isGone != true, let seen else { return false }
        return date.timeIntervalSince(seen) < Self.onlineLife
    }
}
