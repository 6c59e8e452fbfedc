#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Creates files and folders without following links, so that they are certain to be inside the folder.
extension OpenFolder {
    /// Creates a folder below this one, with any missing folders above it.
    ///
    /// - Parameters:
    ///   - path: relative to this folder.
    ///   - mode: the permissions of new folders.
    /// - Returns: the folder.
    /// - Throws: ``SourceFailure``, such as when a file or a link is in the way.
    package func makeFolder(
        at path: String,
        mode: UInt16 = 0o755,
    ) throws(SourceFailure) -> OpenFolder {
        var folder = self
        for name in Self.parts(of: path) {
            guard !name.utf8.contains(0) else { throw Self.null }
            let isMade = unsafe mkdirat(folder.descriptor, name, mode_t(mode)) == 0
            guard isMade || errno == EEXIST else { throw Self.failure() }
            folder = try folder.child(name)
        }
        return folder
    }

    /// Sets the permissions of this folder itself.
    package func setMode(_ mode: UInt16) throws(SourceFailure) {
        guard fchmod(descriptor, mode_t(mode)) == 0 else { throw Self.failure() }
    }

    /// Creates a file, replacing an existing file or link; its folder must exist.
    ///
    /// - Throws: ``SourceFailure``, such as when there is a folder of that name.
    package func makeFile(
        at path: String,
        mode: UInt16,
    ) throws(SourceFailure) -> NewFile {
        let (folder, name) = try place(at: path)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = unsafe openat(folder.descriptor, name, flags, 0o600)
        guard file >= 0 else { throw Self.failure() }
        return NewFile(descriptor: file, mode: mode)
    }

    /// Creates a symbolic link, replacing an existing file or link; the caller must check the target.
    ///
    /// - Throws: ``SourceFailure``, such as when there is a folder of that name.
    package func makeLink(at path: String, to target: [UInt8]) throws(SourceFailure) {
        guard !target.contains(0) else { throw Self.null }
        let (folder, name) = try place(at: path)
        let text = target.map { CChar(bitPattern: $0) } + [0]
        guard unsafe symlinkat(text, folder.descriptor, name) == 0 else { throw Self.failure() }
    }

    /// The folder and the name of a new entry, after removing the existing one.
    private func place(at path: String) throws(SourceFailure) -> (OpenFolder, String) {
        let (folder, name) = try parent(of: path)
        guard !name.utf8.contains(0) else { throw Self.null }
        let isRemoved = unsafe unlinkat(folder.descriptor, name, 0) == 0
        guard isRemoved || errno == ENOENT else { throw Self.failure() }
        return (folder, name)
    }
}

/// A new file, written from start to end.
package final class NewFile {
    private let descriptor: Int32
    private let mode: UInt16

    fileprivate init(descriptor: Int32, mode: UInt16) {
        self.descriptor = descriptor
        self.mode = mode
    }

    deinit {
        close(descriptor)
    }

    /// Appends bytes to the file.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(SourceFailure) {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            #if canImport(Glibc)
            let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            #elseif canImport(Musl)
            let count = unsafe Musl.write(descriptor, rest.baseAddress, rest.count)
            #else
            let count = unsafe Darwin.write(descriptor, rest.baseAddress, rest.count)
            #endif
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw OpenFolder.failure() }
            done += count
        }
    }

    /// Sets the file's permissions after everything is written.
    package func finish() throws(SourceFailure) {
        guard fchmod(descriptor, mode_t(mode)) == 0 else { throw OpenFolder.failure() }
    }
}
