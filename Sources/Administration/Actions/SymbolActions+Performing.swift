package import APIDocuments
import Access
import Identifiers
import Publishing
import Releases
import Store
import Symbols

extension Actions {
    static let symbols: [any PerformedAction.Type] = [
        ListSymbols.self, RemoveSymbols.self, FindSymbols.self,
    ]
}

extension ListSymbols: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> SymbolsDocument {
        let admin = administration.admin
        return administration.symbols(
            of: try admin.release(named: release, of: admin.app(named: app))
        )
    }
}

extension RemoveSymbols: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> SymbolsDocument {
        let admin = administration.admin
        let release = try admin.release(named: release, of: admin.app(named: app))
        guard let uuid = ImageUUID(uuid) else { throw SymbolRefusal.unknown }
        let removed = try admin.store.removeSymbols(
            uuid,
            of: release,
            by: admin.name,
            at: admin.clock(),
        )
        return administration.symbols(of: removed.release)
    }
}

extension FindSymbols: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> FoundSymbolsDocument {
        let words = (uuids ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let wanted = words.compactMap { ImageUUID(String($0)) }
        guard wanted.count == words.count, (1...Self.limit).contains(wanted.count) else {
            throw BadParameter(
                "uuids",
                fix: "give 1 to \(Self.limit) UUIDs separated by commas",
            )
        }
        return FoundSymbolsDocument(
            symbols: try administration.symbols(of: wanted).map { place in
                FoundSymbolsEntry(
                    place.image,
                    of: place.file,
                    app: place.app.rawValue,
                    release: place.release.rawValue,
                )
            }
        )
    }
}
