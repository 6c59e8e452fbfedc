import Foundation
package import HTTPServing
import Hummingbird

extension RouteContext {
    /// Returns a path parameter without its percent-encoding.
    package func text(_ name: String) throws(Refusal) -> String {
        guard let raw = parameters.get(name), let text = raw.removingPercentEncoding else {
            throw .notFound
        }
        return text
    }

    /// Returns a positive integer in the path, in its canonical form: `1`, but not `01` or `+1`.
    package func number(_ name: String) throws(Refusal) -> Int {
        guard let number = PathNumber.read(try text(name)) else { throw .notFound }
        return number
    }
}
