import APIDocuments
import Access
import Administration
import HTTPTypes
import Hummingbird
import NIOCore
import Releases
import SiteServices

extension APIRoutes {
    /// Lists of comma-separated values, sent while they are generated.
    static let exports: [APIRoute] = [
        APIRoute(.get, "/installs.csv", .everywhere(.admin), query: ["days"]) { call in
            try await export(.installs(of: nil, days: days(call)), for: call)
        },
        APIRoute(.get, "/apps/{app}/installs.csv", .onApp(.admin), query: ["days"]) { call in
            let app = try call.parameter("app")
            return try await export(.installs(of: app, days: days(call)), for: call)
        },
        APIRoute(.get, "/apps/{app}/feedback.csv", .onApp(.admin)) { call in
            try await export(.feedback(of: call.parameter("app")), for: call)
        },
        APIRoute(.get, "/devices.csv", .everywhere(.admin)) { call in
            try await export(.devices, for: call)
        },
        APIRoute(
            .get,
            "/activity.csv",
            .everywhere(.admin),
            query: ["days", "app", "actor", "kind", "from", "to"],
        ) { call in
            try await export(activity(call), for: call)
        },
    ]

    private static func activity(_ call: APICall) throws -> ExportedList {
        let filter = try ActivityFilter(
            actor: call.query["actor"],
            kind: call.query["kind"],
            from: call.query["from"],
            to: call.query["to"],
        )
        let days = call.query["days"] == nil ? nil : try days(call)
        return .activity(days: days, of: call.query["app"], matching: filter)
    }

    private static func days(_ call: APICall) throws -> Int {
        try call.number("days", in: ExportedList.daysRange, else: ExportedList.usualDays)
    }

    private static func export(_ list: ExportedList, for call: APICall) async throws -> APIAnswer {
        let site = call.site
        let administration = call.administration
        let export = try await site.work { try administration.export(list) }
        var answer = APIAnswer.stream(type: CSVLine.mediaType) { writer in
            var place: CSVExport.Place? = .beginning
            while let current = place {
                let piece = try await site.work { try export.piece(at: current) }
                if !piece.bytes.isEmpty { try await writer.write(ByteBuffer(bytes: piece.bytes)) }
                place = piece.next
            }
        }
        answer.fields[.contentDisposition] = "attachment; filename=\"\(list.fileName)\""
        return answer
    }
}
