import Foundation

/// A request as received.
struct ReceivedRequest: Sendable {
    let method: String
    let path: String
    /// The decoded parameters in their order; a name may occur more than once.
    let query: [(name: String, value: String)]
    /// The encoded query, without the question mark.
    let rawQuery: String
    let authorization: String?
    let body: [UInt8]

    init(method: String, target: String, authorization: String?, body: [UInt8]) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.method = method
        path = String(parts[0])
        rawQuery = parts.count > 1 ? String(parts[1]) : ""
        query = rawQuery.split(separator: "&").map { field in
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decode = { (text: Substring) in text.removingPercentEncoding ?? String(text) }
            return (decode(pair[0]), pair.count > 1 ? decode(pair[1]) : "")
        }
        self.authorization = authorization
        self.body = body
    }

    /// The last value of a parameter.
    func parameter(_ name: String) -> String? { query.last { $0.name == name }?.value }

    /// The comma-separated values of a parameter; nil without the parameter.
    func values(_ name: String) -> [String]? {
        parameter(name).map { $0.split(separator: ",").map(String.init) }
    }

    /// The components of the path.
    var components: [String] { path.split(separator: "/").map(String.init) }
}
