import APIDocuments
import Administration
import Bytes
import OTAClient
import Synchronization

extension CommandTarget {
    /// Prints a list as comma-separated values, piece by piece.
    func print(_ list: ExportedList, to terminal: Terminal) async throws {
        switch self {
        case .store(let store):
            let export = try store.export(list)
            var place: CSVExport.Place? = .beginning
            while let current = place {
                let piece = try export.piece(at: current)
                try terminal.write(String(decoding: piece.bytes, as: UTF8.self))
                place = piece.next
            }
        case .server(let server):
            let rest = Mutex<[UInt8]>([])
            try await server.receive(list) { bytes in
                // A piece may end inside a character, but a line feed is never part of one.
                let whole = rest.withLock { rest in
                    rest += bytes
                    let end = rest.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
                    defer { rest.removeFirst(end) }
                    return Array(rest[..<end])
                }
                if !whole.isEmpty { try terminal.write(String(decoding: whole, as: UTF8.self)) }
            }
        }
    }
}
