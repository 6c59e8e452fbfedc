package import Hummingbird
package import NIOCore

/// What a route's handler knows besides the request itself.
package struct RouteContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    package let channel: any Channel
    /// Counts the bytes that a download passes to the connection.
    package let transfer = Transfer()

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}
