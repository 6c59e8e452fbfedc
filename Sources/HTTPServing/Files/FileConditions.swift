package import HTTPTypes

/// What a request for an immutable file gets, before a byte of it is read.
package enum FileConditions: Equatable {
    case whole
    case part(Range<Int>)
    case unsatisfiable
    case notModified
    /// `If-Match` names another file.
    case changed

    /// Judges in the order of RFC 9110 13.2.2; there are no modification dates, so conditions on
    /// them do not hold.
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
