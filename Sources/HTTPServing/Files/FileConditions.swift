package import HTTPTypes

/// The answer to a conditional or range request for an immutable file, before a byte of it is read.
package enum FileConditions: Equatable {
    case whole
    case part(Range<Int>)
    case unsatisfiable
    case notModified
    /// `If-Match` names another file.
    case changed

    /// Evaluates the conditions in the order of RFC 9110 13.2.2; `If-Modified-Since` and
    /// `If-Unmodified-Since` are ignored, because the server keeps no modification dates.
    ///
    /// - Parameters:
    ///   - fields: the fields of the request.
    ///   - method: the method of the request; ranges apply only to GET.
    ///   - etag: the file's entity tag, with its quotes.
    ///   - size: the file's length in bytes.
    package init(_ fields: HTTPFields, method: HTTPRequest.Method, etag: String, size: Int) {
        if fields.contains(.ifMatch),
            !EntityTag.isListedStrongly(etag, in: fields[values: .ifMatch])
        {
            self = .changed
        } else if EntityTag.isListed(etag, in: fields[values: .ifNoneMatch]) {
            self = .notModified
        } else if method != .get || fields[.ifRange].map({ $0.trimmed != etag[...] }) == true {
            self = .whole
        } else {
            self =
                switch ByteRange(fields[.range], size: size) {
                case .whole: .whole
                case .part(let range): .part(range)
                case .unsatisfiable: .unsatisfiable
                }
        }
    }
}
