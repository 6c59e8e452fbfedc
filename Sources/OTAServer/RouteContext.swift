import Foundation
import Hummingbird
import NIOCore

/// What a route knows of the request beside the request.
struct RouteContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// Counts what a download hands to the connection.
    let transfer = Transfer()

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// A path parameter without its percent-encoding.
    func text(_ name: String) throws(Refusal) -> String {
        guard let raw = parameters.get(name), let text = raw.removingPercentEncoding else {
            throw .notFound
        }
        return text
    }
}
