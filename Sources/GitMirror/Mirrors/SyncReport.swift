/// What a look at a repository found.
package struct SyncReport: Sendable {
    /// Whether it was the first, which builds nothing.
    package let isFirst: Bool
    package let changes: [ReferenceChange]
    /// Builds that were queued for them.
    package let queued: [MirrorRun]
    /// What somebody should know: refused names, tags that moved or are gone.
    package let remarks: [String]
    package let branches: Int
    package let tags: Int
}
