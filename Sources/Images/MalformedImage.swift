package import Bytes
package import Problems

/// Bytes that are not an image this module can read, or one that is larger than the caller allows.
package enum MalformedImage: ReportableError, Equatable {
    case notPNG
    case malformed(MalformedBytes)
    /// The CRC of a chunk that is used is wrong.
    case checksum(chunk: String)
    /// A critical chunk that this reader does not know.
    case unknownChunk(String)
    /// A chunk where the format does not allow it, or a second one of its kind.
    case misplacedChunk(String)
    case missingChunk(String)
    /// A combination of header fields that the format does not allow.
    case header(String)
    /// Refused from the header alone, before memory is allocated for the pixels.
    case tooLarge(width: Int, height: Int, maxPixels: Int)
    /// As ``tooLarge(width:height:maxPixels:)``, for a single side.
    case tooLong(width: Int, height: Int, longestSide: Int)
    case corruptData
    /// The data inflates to fewer or more bytes than the header requires.
    case wrongDataSize(expected: Int)
    case unknownFilter(UInt8)
    case paletteIndex(Int, paletteSize: Int)

    package var description: String {
        switch self {
        case .notPNG:
            "the image does not begin like a PNG file"
        case .malformed(let bytes):
            "\(bytes)"
        case .checksum(let chunk):
            "the checksum of PNG chunk \(chunk) is wrong"
        case .unknownChunk(let chunk):
            "PNG chunk \(chunk) is critical and unknown"
        case .misplacedChunk(let chunk):
            "PNG chunk \(chunk) is out of place"
        case .missingChunk(let chunk):
            "PNG chunk \(chunk) is missing"
        case .header(let what):
            "the PNG header \(what)"
        case .tooLarge(let width, let height, let maxPixels):
            "the image claims \(width) by \(height) pixels, but at most \(maxPixels) in all are allowed"
        case .tooLong(let width, let height, let longestSide):
            "the image claims \(width) by \(height) pixels, but a side may have at most \(longestSide)"
        case .corruptData:
            "the compressed image data is corrupt"
        case .wrongDataSize(let expected):
            "the image data does not inflate to the \(expected.grouped) bytes its header asks for"
        case .unknownFilter(let filter):
            "a row of the image names filter \(filter), but PNG has only 0 to 4"
        case .paletteIndex(let index, let size):
            "a pixel names colour \(index) of a palette of \(size)"
        }
    }
}

extension MalformedImage {
    package var id: String {
        switch self {
        case .tooLarge, .tooLong: "image.too-large"
        default: "image.malformed"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .tooLarge, .tooLong: .tooLarge
        default: .invalid
        }
    }

    package var fix: String { "export the image as a PNG again" }
}
