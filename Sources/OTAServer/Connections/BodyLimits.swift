/// The limits of request bodies, and of the memory that they take.
package struct BodyLimits: Sendable {
    /// Bytes of a request's body, unless the route has its own limit; a larger body gets 413.
    package var bodyBytes = 64 * 1024
    /// Bytes of a body below `/api/` and `/admin/`, to which lists and notes are sent; each route there has
    /// a smaller limit of its own.
    package var apiBodyBytes = 1024 * 1024
    /// Bytes of bodies in memory at once, over all connections, and the part of them for clients that have
    /// not authenticated.
    package var bodiesInMemory = 64 << 20
    package var bodiesOfStrangers = 32 << 20
    /// The part of the latter for one IPv4 address or one IPv6 network (/64).
    package var bodiesOfNetwork = 4 << 20

    /// The limits in the documentation.
    package init() {}
}
