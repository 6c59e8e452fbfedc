extension Contract {
    /// The few operations that `ota` uses, written for this project.
    ///
    /// They are a subset of Apple's description, version 4.4.1, for machines that do not have that.
    static let facts = Contract("facts", Array(document.utf8))

    private static let document = """
        {
          "paths": {
            "/v1/devices": {
              "get": {"parameters": [
                {"name": "filter[udid]", "schema": {"type": "array", "items": {"type": "string"}}},
                {"name": "fields[devices]", "schema": {"type": "array", "items": {"enum": [
                  "name", "platform", "udid", "deviceClass", "status", "model", "addedDate"]}}},
                {"name": "limit", "schema": {"type": "integer", "maximum": 200}}]},
              "post": {"requestBody": {"content": {"application/json": {"schema":
                {"$ref": "#/components/schemas/NewDevice"}}}}}
            },
            "/v1/devices/{id}": {
              "patch": {"requestBody": {"content": {"application/json": {"schema":
                {"$ref": "#/components/schemas/ChangedDevice"}}}}}
            },
            "/v1/profiles": {
              "get": {"parameters": [
                {"name": "filter[name]", "schema": {"type": "array", "items": {"type": "string"}}},
                {"name": "filter[profileType]", "schema": {"type": "array", "items": {"enum": [
                  "IOS_APP_ADHOC"]}}},
                {"name": "fields[profiles]", "schema": {"type": "array", "items": {"enum": [
                  "name", "platform", "profileType", "profileState", "profileContent", "uuid",
                  "createdDate", "expirationDate", "bundleId", "devices", "certificates"]}}},
                {"name": "fields[bundleIds]", "schema": {"type": "array", "items": {"enum": [
                  "name", "platform", "identifier", "seedId"]}}},
                {"name": "fields[certificates]", "schema": {"type": "array", "items": {"enum": [
                  "name", "certificateType", "serialNumber", "expirationDate"]}}},
                {"name": "include", "schema": {"type": "array", "items": {"enum": [
                  "bundleId", "devices", "certificates"]}}},
                {"name": "limit", "schema": {"type": "integer", "maximum": 200}}]},
              "post": {"requestBody": {"content": {"application/json": {"schema":
                {"$ref": "#/components/schemas/NewProfile"}}}}}
            },
            "/v1/profiles/{id}": {
              "get": {"parameters": [
                {"name": "fields[profiles]", "schema": {"type": "array"}},
                {"name": "fields[bundleIds]", "schema": {"type": "array"}},
                {"name": "fields[certificates]", "schema": {"type": "array"}},
                {"name": "include", "schema": {"type": "array", "items": {"enum": [
                  "bundleId", "devices", "certificates"]}}}]},
              "delete": {}
            },
            "/v1/profiles/{id}/devices": {
              "get": {"parameters": [
                {"name": "fields[devices]", "schema": {"type": "array"}},
                {"name": "limit", "schema": {"type": "integer", "maximum": 200}}]}
            },
            "/v1/certificates": {
              "get": {"parameters": [
                {"name": "filter[certificateType]", "schema": {"type": "array", "items": {"enum": [
                  "DISTRIBUTION", "IOS_DISTRIBUTION"]}}},
                {"name": "fields[certificates]", "schema": {"type": "array", "items": {"enum": [
                  "name", "displayName", "certificateType", "serialNumber", "platform",
                  "expirationDate", "certificateContent", "activated"]}}},
                {"name": "limit", "schema": {"type": "integer", "maximum": 200}}]},
              "post": {"requestBody": {"content": {"application/json": {"schema":
                {"$ref": "#/components/schemas/NewCertificate"}}}}}
            },
            "/v1/certificates/{id}": {
              "get": {"parameters": [
                {"name": "fields[certificates]", "schema": {"type": "array"}}]},
              "delete": {}
            },
            "/v1/bundleIds": {
              "get": {"parameters": [
                {"name": "filter[identifier]",
                  "schema": {"type": "array", "items": {"type": "string"}}},
                {"name": "fields[bundleIds]", "schema": {"type": "array", "items": {"enum": [
                  "name", "platform", "identifier", "seedId"]}}},
                {"name": "limit", "schema": {"type": "integer", "maximum": 200}}]},
              "post": {"requestBody": {"content": {"application/json": {"schema":
                {"$ref": "#/components/schemas/NewBundleID"}}}}}
            },
            "/v1/bundleIds/{id}/bundleIdCapabilities": {
              "get": {"parameters": [
                {"name": "limit", "schema": {"type": "integer", "maximum": 200}}]}
            },
            "/v1/bundleIdCapabilities": {
              "post": {"requestBody": {"content": {"application/json": {"schema":
                {"$ref": "#/components/schemas/NewCapability"}}}}}
            }
          },
          "components": {"schemas": {
            "Link": {"type": "object", "required": ["id", "type"], "properties": {
              "id": {"type": "string"}, "type": {"type": "string"}}},
            "One": {"type": "object", "required": ["data"], "properties": {
              "data": {"$ref": "#/components/schemas/Link"}}},
            "Several": {"type": "object", "required": ["data"], "properties": {
              "data": {"type": "array", "items": {"$ref": "#/components/schemas/Link"}}}},
            "NewDevice": {"type": "object", "required": ["data"], "properties": {"data": {
              "type": "object", "required": ["type", "attributes"], "properties": {
                "type": {"type": "string", "enum": ["devices"]},
                "attributes": {"type": "object", "required": ["name", "udid", "platform"],
                  "properties": {"name": {"type": "string"}, "udid": {"type": "string"},
                    "platform": {"type": "string", "enum": ["IOS", "MAC_OS", "UNIVERSAL"]}}}}}}},
            "ChangedDevice": {"type": "object", "required": ["data"], "properties": {"data": {
              "type": "object", "required": ["type", "id"], "properties": {
                "type": {"type": "string", "enum": ["devices"]}, "id": {"type": "string"},
                "attributes": {"type": "object", "properties": {"name": {"type": "string"},
                  "status": {"type": "string", "enum": ["ENABLED", "DISABLED"]}}}}}}},
            "NewProfile": {"type": "object", "required": ["data"], "properties": {"data": {
              "type": "object", "required": ["type", "attributes", "relationships"],
              "properties": {
                "type": {"type": "string", "enum": ["profiles"]},
                "attributes": {"type": "object", "required": ["name", "profileType"],
                  "properties": {"name": {"type": "string"},
                    "profileType": {"type": "string", "enum": ["IOS_APP_ADHOC"]}}},
                "relationships": {"type": "object", "required": ["bundleId", "certificates"],
                  "properties": {"bundleId": {"$ref": "#/components/schemas/One"},
                    "certificates": {"$ref": "#/components/schemas/Several"},
                    "devices": {"$ref": "#/components/schemas/Several"}}}}}}},
            "NewCertificate": {"type": "object", "required": ["data"], "properties": {"data": {
              "type": "object", "required": ["type", "attributes"], "properties": {
                "type": {"type": "string", "enum": ["certificates"]},
                "attributes": {"type": "object", "required": ["csrContent", "certificateType"],
                  "properties": {"csrContent": {"type": "string"},
                    "certificateType": {"type": "string",
                      "enum": ["DISTRIBUTION", "IOS_DISTRIBUTION"]}}}}}}},
            "NewBundleID": {"type": "object", "required": ["data"], "properties": {"data": {
              "type": "object", "required": ["type", "attributes"], "properties": {
                "type": {"type": "string", "enum": ["bundleIds"]},
                "attributes": {"type": "object", "required": ["identifier", "name", "platform"],
                  "properties": {"identifier": {"type": "string"}, "name": {"type": "string"},
                    "platform": {"type": "string", "enum": ["IOS", "UNIVERSAL"]}}}}}}},
            "NewCapability": {"type": "object", "required": ["data"], "properties": {"data": {
              "type": "object", "required": ["type", "attributes", "relationships"],
              "properties": {
                "type": {"type": "string", "enum": ["bundleIdCapabilities"]},
                "attributes": {"type": "object", "required": ["capabilityType"],
                  "properties": {"capabilityType": {"type": "string"}}},
                "relationships": {"type": "object", "required": ["bundleId"],
                  "properties": {"bundleId": {"$ref": "#/components/schemas/One"}}}}}}}
          }}
        }
        """
}
