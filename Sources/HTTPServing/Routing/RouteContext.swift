package import Hummingbird
package import NIOCore

/// What a route knows of the request beside the request.
package struct RouteContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    package let channel: any Channel
    /// Counts what a download hands to the connection.
    package let transfer = Transfer()

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}
