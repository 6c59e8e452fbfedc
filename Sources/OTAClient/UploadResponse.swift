import APIDocuments
import Foundation
import Uploads

/// The parts of a response that matter for an upload.
struct UploadResponse {
    let status: Int
    /// The upload in `Location`, whose host a proxy may have changed.
    let location: UploadIdentifier?
    let offset: Int?
    let isComplete: Bool?
    let limit: String?
    let retryAfter: Double?
    /// Whether the response is from the server itself, and not from a proxy.
    let isOurs: Bool
    private let body: [UInt8]

    init(_ answer: ServerAnswer) {
        status = answer.status
        location = answer["location"]?.split(separator: "/").last
            .flatMap { UploadIdentifier(String($0)) }
        offset = answer[UploadField.offset].flatMap(UploadField.count)
        isComplete = answer[UploadField.complete].flatMap(UploadField.boolean)
        limit = answer[UploadField.limit]
        retryAfter = answer["retry-after"].flatMap(Double.init)
        let type = answer["content-type"] ?? ""
        isOurs =
            type.hasPrefix("application/json") || type.hasPrefix(ProblemDocument.mediaType)
            || answer.status == 204
        body = answer.body
    }

    /// Whether the same request may get another response later.
    var isPassing: Bool { [408, 425, 429, 500, 502, 503, 504, 507].contains(status) }

    /// The response as the final answer.
    var last: UploadAnswer {
        UploadAnswer(status: status, body: String(decoding: body, as: UTF8.self))
    }

    /// The state of the upload, in the response to `GET`.
    ///
    /// - Throws: ``UploadFailure`` if the response has no such state; it is not final either.
    func standing() throws(UploadFailure) -> UploadStatus {
        if let upload { return upload }
        throw isOurs
            ? .notUnderstood("it does not give the state of the upload") : .notOurs(status: status)
    }

    private var upload: UploadStatus? {
        try? JSONDecoder().decode(UploadStatus.self, from: Data(body))
    }

    /// The result of the publish, in the response to `GET`.
    var outcome: UploadAnswer? {
        guard let status = upload?.status, let answer = object?["answer"],
            let data = try? JSONSerialization.data(
                withJSONObject: answer,
                options: [.sortedKeys, .withoutEscapingSlashes],
            )
        else { return nil }
        return UploadAnswer(status: status, body: String(decoding: data, as: UTF8.self))
    }

    /// The stable identifier of an error.
    var errorID: String {
        (object?["error"] as? [String: Any])?["id"] as? String ?? ""
    }

    private var object: [String: Any]? {
        try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
    }
}
