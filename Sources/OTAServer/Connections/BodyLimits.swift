/// How much the bodies of requests may bring, and keep in memory.
package struct BodyLimits: Sendable {
    /// Bytes of a request's body where a route does not say otherwise; beyond is 413.
    package var bodyBytes = 64 * 1024
    /// The same below `/api/` and `/admin/`, where lists and notes are sent; each address there has its
    /// own smaller limit.
    package var apiBodyBytes = 1024 * 1024
    /// Bytes of bodies that are in memory at once, over all connections, and those of them that
    /// come from clients which have not proven who they are.
    package var bodiesInMemory = 64 << 20
    package var bodiesOfStrangers = 32 << 20
    /// Those of strangers that come from one address, or one network of IPv6 (/64).
    package var bodiesOfNetwork = 4 << 20

    /// The limits that the documentation names.
    package init() {}
}
