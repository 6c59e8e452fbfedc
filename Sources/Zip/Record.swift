import Bytes

/// Reads one record of the format; a malformed one is refused with its place.
func record<Value>(
    in bytes: ArraySlice<UInt8>,
    at place: @autoclosure () -> String,
    otherwise rule: ZipRule = .malformedDirectory,
    _ reading: (inout ByteReader) throws(MalformedBytes) -> Value,
) throws(ZipRefusal) -> Value {
    do throws(MalformedBytes) {
        var reader = ByteReader(bytes)
        return try reading(&reader)
    } catch {
        throw ZipRefusal(rule, at: place(), error.description)
    }
}

extension ByteReader {
    /// Reads a 64-bit size or offset.
    mutating func length(_ field: String) throws(MalformedBytes) -> Int {
        let start = offset
        guard let length = Int(exactly: try littleEndian(UInt64.self, field)) else {
            throw MalformedBytes(field, at: start, .invalid("is larger than any file"))
        }
        return length
    }

    mutating func unsigned16(_ field: String) throws(MalformedBytes) -> Int {
        Int(try littleEndian(UInt16.self, field))
    }

    mutating func unsigned32(_ field: String) throws(MalformedBytes) -> Int {
        Int(try littleEndian(UInt32.self, field))
    }
}
