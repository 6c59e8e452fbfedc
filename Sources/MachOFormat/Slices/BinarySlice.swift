/// One slice of a file: a whole program for one processor.
package struct BinarySlice: Sendable {
    /// Where the slice is, in bytes of the file.
    package let range: Range<Int>
    package let header: MachHeader
    package let commands: [LoadCommand]
    /// The header and the load commands as they stand in the file; nil where the reader was not asked
    /// to keep them.
    package let headerBytes: [UInt8]?
    /// The content of LC_CODE_SIGNATURE; nil when there is no such command.
    package internal(set) var signatureBytes: [UInt8]?
    /// The content of the section `__TEXT,__info_plist`; nil when there is none that could be read.
    package let information: [UInt8]?

    /// Gives up what follows the signature in its place, and all of what is none.
    mutating func trimSignature() {
        guard let bytes = signatureBytes else { return }
        let words = [0, 4].map { start in
            bytes.dropFirst(start).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        }
        let isSignature = bytes.count >= 8 && words[0] == 0xfade_0cc0
        signatureBytes = isSignature ? Array(bytes.prefix(words[1])) : []
    }

    package var processor: Processor { header.processor }

    /// Where the signature is, in bytes of the file.
    package var signatureRange: Range<Int>? {
        for case .codeSignature(let place) in commands {
            return range.lowerBound + place.lowerBound..<range.lowerBound + place.upperBound
        }
        return nil
    }

    /// Where the section `__TEXT,__info_plist` is, in bytes of the file.
    ///
    /// Nil for one that overlaps the load commands or the signature, or is larger than any
    /// Info.plist that is read.
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

    /// Bytes of the slice that no signature can cover, because they lie behind it.
    package var bytesAfterSignature: Int {
        signatureRange.map { range.upperBound - $0.upperBound } ?? 0
    }

    package var segments: [Segment] {
        commands.compactMap { if case .segment(let segment) = $0 { segment } else { nil } }
    }

    /// Usually one; two for a library that serves macOS and Mac Catalyst alike.
    package var buildVersions: [BuildVersion] {
        commands.compactMap { if case .buildVersion(let version) = $0 { version } else { nil } }
    }

    package var libraries: [LinkedLibrary] {
        commands.compactMap { if case .library(let library) = $0 { library } else { nil } }
    }

    package var runPaths: [String] {
        commands.compactMap { if case .runPath(let path) = $0 { path } else { nil } }
    }

    /// The library's own name and version.
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

    /// Reads the signature.
    ///
    /// - Returns: nil for a slice that has none.
    /// - Throws: ``SignatureFault`` when there is no index of blobs to go by.
    package func signature() throws(SignatureFault) -> CodeSignature? {
        guard let signatureBytes else { return nil }
        return try CodeSignature(reading: signatureBytes)
    }
}
