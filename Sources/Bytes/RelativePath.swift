#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A path relative to some folder, as the bytes that a file system compares.
///
/// Swift compares, splits and hashes strings by characters as readers see them: `"/"` and a combining
/// mark after it are one character, and a composed `é` equals a decomposed one. Phones do neither, so
/// file names of a build are of this type wherever a decision depends on them, and a `String` only for
/// display.
package struct RelativePath: Hashable, Sendable {
    /// UTF-8, with a slash between components.
    package let bytes: [UInt8]

    package init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    // What other modules have most of the time: they do not specialize the others.

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = Array(bytes)
    }

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    package init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
    }

    /// The path as text for people, documents and logs.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package var isEmpty: Bool { bytes.isEmpty }

    package static func == (left: RelativePath, right: RelativePath) -> Bool {
        left.bytes.count == right.bytes.count
            && (unsafe memcmp(left.bytes, right.bytes, left.bytes.count)) == 0
    }

    package func hash(into hasher: inout Hasher) {
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}

extension RelativePath {
    private static let slash = UInt8(ascii: "/")

    /// The components between the slashes.
    package var components: [RelativePath] {
        bytes.split(separator: Self.slash).map { RelativePath($0) }
    }

    /// The first `count` components and the remaining path; nil if there are fewer.
    package func split(first count: Int) -> (components: [RelativePath], rest: RelativePath)? {
        var parts = bytes.split(separator: Self.slash, maxSplits: count)
        guard parts.count >= count else { return nil }
        let rest = parts.count > count ? parts.removeLast() : []
        return (parts.map { RelativePath($0) }, RelativePath(rest))
    }

    /// The last component.
    package var name: RelativePath {
        RelativePath(bytes[(lastSlash.map { $0 + 1 } ?? 0)...])
    }

    /// Everything before the last component; nil if there is only one.
    package var parent: RelativePath? { lastSlash.map { RelativePath(bytes[..<$0]) } }

    /// Every enclosing folder, from the top down.
    package var folders: [RelativePath] {
        bytes.indices.filter { bytes[$0] == Self.slash }.map { RelativePath(bytes[..<$0]) }
    }

    private var lastSlash: Int? { bytes.lastIndex(of: Self.slash) }

    /// The bytes after the last dot of the last component; nil without a dot, or if the component begins
    /// with its only dot.
    package var fileExtension: RelativePath? {
        dotOfExtension.map { RelativePath(bytes[($0 + 1)...]) }
    }

    /// The last component without its extension.
    package var stem: RelativePath {
        let start = lastSlash.map { $0 + 1 } ?? 0
        return RelativePath(bytes[start..<(dotOfExtension ?? bytes.endIndex)])
    }

    private var dotOfExtension: Int? {
        let start = lastSlash.map { $0 + 1 } ?? 0
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > start else { return nil }
        return dot
    }

    package func hasPrefix(_ prefix: RelativePath) -> Bool {
        bytes.count >= prefix.bytes.count
            && (unsafe memcmp(bytes, prefix.bytes, prefix.bytes.count)) == 0
    }

    package func hasSuffix(_ suffix: RelativePath) -> Bool {
        bytes.count >= suffix.bytes.count && bytes.suffix(suffix.bytes.count) == suffix.bytes[...]
    }

    /// The path relative to an enclosing folder; nil for any other folder.
    package func relative(to folder: RelativePath) -> RelativePath? {
        isBelow(folder) ? RelativePath(bytes[(folder.bytes.count + 1)...]) : nil
    }

    /// Whether the path is inside `folder`, at any depth; false for the folder itself.
    package func isBelow(_ folder: RelativePath) -> Bool {
        bytes.count > folder.bytes.count + 1 && bytes[folder.bytes.count] == Self.slash
            && hasPrefix(folder)
    }

    /// Joins this path and one relative to it with a slash.
    package func appending(_ path: RelativePath) -> RelativePath {
        var joined: [UInt8] = []
        joined.reserveCapacity(bytes.count + 1 + path.bytes.count)
        joined += bytes
        joined.append(Self.slash)
        joined += path.bytes
        return RelativePath(joined)
    }

    package static func / (folder: RelativePath, path: RelativePath) -> RelativePath {
        folder.appending(path)
    }
}

extension RelativePath: Comparable {
    package static func < (left: RelativePath, right: RelativePath) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension RelativePath: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) {
        self.init(text)
    }
}

extension RelativePath: CustomStringConvertible {
    package var description: String { text }
}

extension Sequence<RelativePath> {
    /// Joins the components to one path.
    package func joined() -> RelativePath {
        RelativePath(Array(map(\.bytes).joined(separator: [UInt8(ascii: "/")])))
    }
}

extension DefaultStringInterpolation {
    /// Quotes an untrusted path.
    package mutating func appendInterpolation(quoted path: RelativePath) {
        appendInterpolation(quoted: path.text)
    }

    /// Quotes the first four of several paths.
    package mutating func appendInterpolation(quoted all: [RelativePath]) {
        appendInterpolation(quoted: all.map(\.text))
    }
}
