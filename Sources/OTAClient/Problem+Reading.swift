import APIDocuments
import Foundation
package import Problems

extension Problem {
    /// Reads a server's error, as problem details (RFC 9457) or in the format of earlier servers; nil for a
    /// body that is not from an `ota` server.
    ///
    /// - Parameters:
    ///   - body: the body of the response.
    ///   - status: the status of the response.
    package init?(body: some Sequence<UInt8>, status: Int) {
        let data = Data(body)
        if let document = try? JSONDecoder().decode(ProblemDocument.self, from: data) {
            self = document.problem
        } else if let error = try? JSONDecoder().decode(ErrorDocument.self, from: data).error {
            self.init(
                id: error.id,
                kind: Self.kind(ofEarlierServer: status),
                message: error.message,
                place: error.place,
                fix: error.fix,
            )
        } else {
            return nil
        }
    }

    /// Earlier servers express the kind of a problem only by the status.
    private static func kind(ofEarlierServer status: Int) -> Kind {
        switch status {
        case 401: .unauthorised
        case 403: .refused
        case 404: .notFound
        case 409: .conflict
        case 412: .changedMeanwhile
        case 413: .tooLarge
        case 422: .invalid
        case 503: .unavailable
        case 507: .outOfRoom
        case 400..<500: .malformed
        default: .failed
        }
    }
}
