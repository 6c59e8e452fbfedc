/// The limits of uploads.
package struct UploadLimits: Sendable {
    /// The largest build in bytes; a larger one gets 413.
    package var largest = 4 << 30
    /// Bytes of the store's disk that uploads leave free; a build that does not fit gets 507.
    package var reserve = 1 << 30
    /// Bytes that the unfinished uploads of one token may have in total; more get 507.
    package var quota = 16 << 30
    /// The number of unfinished uploads of one token; more get 429.
    package var perToken = 100
    /// The number of unfinished uploads of all tokens; more get 429.
    package var all = 1000
    /// Seconds for which an unfinished upload is kept without receiving bytes.
    package var idleTime = 24.0 * 3600
    /// Seconds without a byte after which disk space is no longer reserved for the rest of an upload; it is
    /// checked again when the upload continues.
    package var promiseTime = 600.0
    /// Seconds for which a result is kept.
    package var answerTime = 24.0 * 3600
    /// The largest `PATCH` body in bytes; a proxy may accept less.
    package var piece = 1 << 30
    /// The limits for archives of dSYMs.
    package var symbols = SymbolUploadLimits()

    package init() {}
}

/// The limits of archives of dSYMs while they are being received.
package struct SymbolUploadLimits: Sendable {
    /// The number of archives received at once: from one token or user, from one network, and in total.
    package var ofOne = 4
    package var ofNetwork = 8
    package var all = 16
    /// The least rate of an archive in bytes per second, measured over every ``pace`` by what has arrived
    /// in windows of a third of a megabyte.
    package var rate = 16 << 10
    package var pace = Duration.seconds(60)

    package init() {}
}

/// The unfinished uploads, as far as the limits are concerned.
package struct UploadLoad: Equatable, Sendable {
    /// The number of unfinished uploads of all tokens, and of the requesting one.
    package var all = 0
    package var own = 0
    /// The total size in bytes of the requesting token's uploads when they are complete.
    package var ownBytes = 0
    /// Bytes that all of them still lack.
    package var missing = 0

    package init() {}
}

extension UploadLimits {
    /// Refuses an upload that exceeds a limit, before its first byte.
    ///
    /// - Parameters:
    ///   - size: the build's size in bytes.
    ///   - load: the unfinished uploads.
    ///   - free: the free bytes on the disk; nil if unknown.
    /// - Throws: the limit that would be exceeded.
    package func admit(_ size: Int, beside load: UploadLoad, free: Int?) throws(UploadRefusal) {
        guard size <= largest else { throw .tooLarge(size, limit: largest) }
        try admit(beside: load)
        guard size <= quota - min(load.ownBytes, quota) else {
            throw .quotaExceeded(size, used: load.ownBytes, quota: quota)
        }
        if let free { try leaveRoom(for: size, beside: load.missing, free: free) }
    }

    /// Refuses an upload if there are too many, whatever its size, and even if its bytes have arrived
    /// already.
    package func admit(beside load: UploadLoad) throws(UploadRefusal) {
        guard load.own < perToken else { throw .tooMany(perToken, ofToken: true) }
        guard load.all < all else { throw .tooMany(all, ofToken: false) }
    }

    /// Refuses bytes that would take up the reserve, or the `missing` bytes that are reserved for uploads
    /// in progress.
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
