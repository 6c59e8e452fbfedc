import Foundation
package import HTTPServing
import Hummingbird

extension RouteContext {
    /// A path parameter without its percent-encoding.
    package func text(_ name: String) throws(Refusal) -> String {
        guard let raw = parameters.get(name), let text = raw.removingPercentEncoding else {
            throw .notFound
        }
        return text
    }
}
