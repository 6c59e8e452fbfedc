/// The signed files of an IPA, for changes before they are packed.
///
/// Paths are relative to the app, such as `Info.plist` or `PlugIns/Widget.appex/Widget`. Nothing is
/// signed again, so a phone would detect each change.
package struct SampleTree: Sendable {
    /// The app's folder, such as `Payload/Sample.app`.
    package var app: String
    /// The name of the app's executable.
    package let executable: String
    /// In the order of the archive, with paths from its root.
    package var files: [SampleFile]

    /// Creates a tree from the files of another build.
    package init(app: String, executable: String, files: [SampleFile]) {
        self.app = app
        self.executable = executable
        self.files = files
    }

    /// The contents of a file, with any changes so far.
    package func bytes(of path: String) throws(SampleFailure) -> [UInt8] {
        files[try index(of: path)].content.bytes
    }

    /// Removes a file, or a folder with its contents.
    package mutating func remove(_ path: String) throws(SampleFailure) {
        let full = files[try index(of: path)].path
        files.removeAll { $0.path == full || $0.path.hasPrefix(full + "/") }
    }

    /// Adds a file that no seal lists.
    package mutating func add(_ file: SampleFile) {
        var file = file
        file.path = "\(app)/\(file.path)"
        files.append(file)
    }

    /// Adds a file outside the app, at a path from the archive's root.
    package mutating func addOutside(_ file: SampleFile) {
        files.append(file)
    }

    /// Replaces the contents of a file, without signing again.
    package mutating func replace(_ path: String, with bytes: [UInt8]) throws(SampleFailure) {
        files[try index(of: path)].content = .bytes(bytes)
    }

    /// Changes the contents of a file, without signing again.
    package mutating func edit(
        _ path: String,
        _ body: (inout [UInt8]) -> Void,
    ) throws(SampleFailure) {
        var bytes = try bytes(of: path)
        body(&bytes)
        try replace(path, with: bytes)
    }

    /// Inverts one byte; `offset` counts from the end when it is negative.
    package mutating func flip(_ path: String, at offset: Int) throws(SampleFailure) {
        try edit(path) { bytes in
            let index = offset < 0 ? bytes.count + offset : offset
            if bytes.indices.contains(index) { bytes[index] ^= 0xff }
        }
    }

    /// Sets the permission bits of a file.
    package mutating func setMode(_ path: String, _ mode: UInt16) throws(SampleFailure) {
        files[try index(of: path)].mode = mode
    }

    /// Moves the app with its contents to another folder of the archive.
    package mutating func moveApp(to folder: String) {
        for index in files.indices {
            let path = files[index].path
            guard path == app || path.hasPrefix(app + "/") else { continue }
            files[index].path = folder + path.dropFirst(app.count)
        }
        app = folder
    }

    private func index(of path: String) throws(SampleFailure) -> Int {
        let full = path.isEmpty ? app : "\(app)/\(path)"
        guard let index = files.firstIndex(where: { $0.path == full }) else {
            throw .noSuchFile(path)
        }
        return index
    }
}
