/// A slice of a file: a complete program or library for one processor.
package struct BinarySlice: Sendable {
    /// The range in the file.
    package let range: Range<Int>
    package let header: MachHeader
    package let commands: [LoadCommand]
    /// The bytes of the header and load commands; nil unless the reader was asked to keep them.
    package let headerBytes: [UInt8]?
    /// The content of LC_CODE_SIGNATURE; nil when there is no such command.
    package internal(set) var signatureBytes: [UInt8]?
    /// The content of the section `__TEXT,__info_plist`; nil when it is absent or could not be read.
    package let information: [UInt8]?

    /// Drops the bytes after the signature from ``signatureBytes``, and all bytes when there is no
    /// signature in them.
    mutating func trimSignature() {
        guard let bytes = signatureBytes else { return }
        let words = [0, 4].map { start in
            bytes.dropFirst(start).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        }
        let isSignature = bytes.count >= 8 && words[0] == 0xfade_0cc0
        signatureBytes = isSignature ? Array(bytes.prefix(words[1])) : []
    }

    package var processor: Processor { header.processor }

    /// The range of the signature in the file.
    package var signatureRange: Range<Int>? {
        for case .codeSignature(let place) in commands {
            return range.lowerBound + place.lowerBound..<range.lowerBound + place.upperBound
        }
        return nil
    }

    /// The range of the section `__TEXT,__info_plist` in the file.
    ///
    /// Nil for one that overlaps the load commands or the signature, or exceeds the size limit for an
    /// Info.plist.
    var informationRange: Range<Int>? {
        let text = segments.first { $0.name == "__TEXT" && $0.informationRange != nil }
        guard let place = text?.informationRange else { return nil }
        let whole = range.lowerBound + place.lowerBound..<range.lowerBound + place.upperBound
        let commandsEnd = range.lowerBound + header.size + header.commandBytes
        let end = signatureRange?.lowerBound ?? range.upperBound
        guard whole.lowerBound >= commandsEnd, whole.upperBound <= end,
            whole.count <= MachOLimits.informationBytes
        else { return nil }
        return whole
    }

    /// The number of bytes after the signature, which no signature covers.
    package var bytesAfterSignature: Int {
        signatureRange.map { range.upperBound - $0.upperBound } ?? 0
    }

    package var segments: [Segment] {
        commands.compactMap { if case .segment(let segment) = $0 { segment } else { nil } }
    }

    /// Usually one; two for a library for both macOS and Mac Catalyst.
    package var buildVersions: [BuildVersion] {
        commands.compactMap { if case .buildVersion(let version) = $0 { version } else { nil } }
    }

    package var libraries: [LinkedLibrary] {
        commands.compactMap { if case .library(let library) = $0 { library } else { nil } }
    }

    package var runPaths: [String] {
        commands.compactMap { if case .runPath(let path) = $0 { path } else { nil } }
    }

    /// The library's own name and versions.
    package var identity: LinkedLibrary? {
        for case .identity(let library) in commands { return library }
        return nil
    }

    package var encryption: EncryptionInfo? {
        for case .encryption(let info) in commands { return info }
        return nil
    }

    package var uuid: [UInt8]? {
        for case .uuid(let bytes) in commands { return bytes }
        return nil
    }

    /// Parses the signature.
    ///
    /// - Returns: nil for an unsigned slice.
    /// - Throws: ``SignatureFault`` when there is no usable index of blobs.
    package func signature() throws(SignatureFault) -> CodeSignature? {
        guard let signatureBytes else { return nil }
        return try CodeSignature(reading: signatureBytes)
    }
}
