/// What uploads may cost the server.
package struct UploadLimits: Sendable {
    /// Bytes of one build; beyond is 413.
    package var largest = 4 << 30
    /// Bytes of the store's disk that uploads leave free; below is 507.
    package var reserve = 1 << 30
    /// Bytes that the unfinished uploads of one token may come to; beyond is 507.
    package var quota = 16 << 30
    /// Unfinished uploads of one token; beyond is 429.
    package var perToken = 100
    /// Unfinished uploads of all tokens; beyond is 429.
    package var all = 1000
    /// Seconds that bytes are kept without a further one.
    package var idleTime = 24.0 * 3600
    /// Seconds without a byte after which room is no longer reserved for what an upload lacks; it is asked for
    /// again when the upload continues.
    package var promiseTime = 600.0
    /// Seconds that an answer is kept.
    package var answerTime = 24.0 * 3600
    /// Bytes of one `PATCH`; a proxy in front may take fewer.
    package var piece = 1 << 30
    /// Of archives of dSYMs.
    package var symbols = SymbolUploadLimits()

    package init() {}
}

/// What archives of dSYMs may cost the server while they arrive.
package struct SymbolUploadLimits: Sendable {
    /// Archives at once: of one token or person, from one network, and in all.
    package var ofOne = 4
    package var ofNetwork = 8
    package var all = 16
    /// Bytes per second that an archive brings at least, judged over every ``pace`` by what has come in windows of
    /// a third of a megabyte.
    package var rate = 16 << 10
    package var pace = Duration.seconds(60)

    package init() {}
}

/// The unfinished uploads that there are, as far as the limits are concerned.
package struct UploadLoad: Equatable, Sendable {
    /// Unfinished uploads of all tokens, and of the one that asks.
    package var all = 0
    package var own = 0
    /// Bytes that the asking token's come to when they are whole.
    package var ownBytes = 0
    /// Bytes that all of them still lack.
    package var missing = 0

    package init() {}
}

extension UploadLimits {
    /// Refuses an upload that does not fit, before its first byte.
    ///
    /// - Parameters:
    ///   - size: the build's bytes.
    ///   - load: what is under way already.
    ///   - free: bytes that the disk has room for; nil where that cannot be known.
    /// - Throws: the limit that it would pass.
    package func admit(_ size: Int, beside load: UploadLoad, free: Int?) throws(UploadRefusal) {
        guard size <= largest else { throw .tooLarge(size, limit: largest) }
        try admit(beside: load)
        guard size <= quota - min(load.ownBytes, quota) else {
            throw .quotaExceeded(size, used: load.ownBytes, quota: quota)
        }
        if let free { try leaveRoom(for: size, beside: load.missing, free: free) }
    }

    /// Refuses one upload more than there may be, whatever it brings: also one whose bytes are there
    /// already.
    package func admit(beside load: UploadLoad) throws(UploadRefusal) {
        guard load.own < perToken else { throw .tooMany(perToken, ofToken: true) }
        guard load.all < all else { throw .tooMany(all, ofToken: false) }
    }

    /// Refuses bytes that would eat into the reserve, or into the `missing` that uploads under way
    /// have been promised.
    package func leaveRoom(
        for size: Int,
        beside missing: Int = 0,
        free: Int,
    ) throws(UploadRefusal) {
        guard size + missing <= free - min(reserve, free) else {
            throw .noRoom(size, free: free, reserve: reserve, promised: missing)
        }
    }
}
