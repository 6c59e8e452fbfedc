/// Lists all documents, for backups and checks of the whole store.
extension DirectoryBackend {
    package func documents() throws(StoreFailure) -> [DocumentName] {
        try systemCall { () throws(SystemFailure) in try documents(in: []) }
    }

    func documents(in folder: [String]) throws(SystemFailure) -> [DocumentName] {
        var found: [DocumentName] = []
        try visitFiles(in: folder) { components throws(SystemFailure) in
            if let document = try? DocumentName(components: components) { found.append(document) }
        }
        return found
    }

    /// Calls `visit` with every file of the store except locks, blobs, incoming files and mirrors.
    func visitFiles(
        in folder: [String],
        _ visit: ([String]) throws(SystemFailure) -> Void,
    ) throws(SystemFailure) {
        let path = ([root] + folder).joined(separator: "/")
        for name in try Folder.names(in: path) {
            let isOurs = !folder.isEmpty || !["blobs", "incoming", "mirrors"].contains(name)
            guard isOurs, !name.hasSuffix(".lock"),
                let status = try Folder.status(path + "/" + name)
            else { continue }
            if status.isFolder, folder.count < 5, DocumentName.isAllowed(name) {
                try visitFiles(in: folder + [name], visit)
            } else if status.isFile {
                try visit(folder + [name])
            }
        }
    }

    package func withWritersWaiting(
        _ body: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        try lock.withLock(body)
    }
}
